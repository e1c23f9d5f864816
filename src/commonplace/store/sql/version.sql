-- name: insert
insert into version (owner, {version columns})
values (:owner, {version values})
on conflict (owner, noun, id, version) do nothing;

-- name: add
insert into version (owner, {version columns})
values (:owner, {version values});

-- name: close
update version set superseded_at = :recorded_at
where owner = :owner and noun = :noun and id = :id and version < :version and superseded_at is null;

-- name: select
select {version columns} from version where owner = :owner

-- name: moved
select distinct id from version where owner = :owner and noun = 'memory' and action = 'MOVE' order by id;

-- name: replace
update version set {version changes}
where owner = :owner and noun = :noun and id = :id and version = :version;

-- name: delete
delete from version where owner = :owner and noun = :noun and id in (:ids*);

-- name: restore
insert into version (owner, {version columns}) values (:owner, {version values})
on conflict (owner, noun, id, version) do update set {version excluded};
