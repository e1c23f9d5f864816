-- name: insert
insert into version (owner, noun, id, version, recorded_at, superseded_at, actor, action, sealed, doc)
values (:owner, :noun, :id, :version, :recorded_at, :superseded_at, :actor, :action, :sealed, :doc)
on conflict (owner, noun, id, version) do nothing;

-- name: add
insert into version (owner, noun, id, version, recorded_at, superseded_at, actor, action, sealed, doc)
values (:owner, :noun, :id, :version, :recorded_at, :superseded_at, :actor, :action, :sealed, :doc);

-- name: close
update version set superseded_at = :recorded_at
where owner = :owner and noun = :noun and id = :id and version < :version and superseded_at is null;

-- name: select
select noun, id, version, recorded_at, superseded_at, actor, action, sealed, doc from version where owner = :owner

-- name: replace
update version set
    recorded_at = :recorded_at, superseded_at = :superseded_at, actor = :actor, action = :action, sealed = :sealed,
    doc = :doc
where owner = :owner and noun = :noun and id = :id and version = :version;

-- name: delete
delete from version where owner = :owner and noun = :noun and id in (:ids*);
