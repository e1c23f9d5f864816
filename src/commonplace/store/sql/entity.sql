-- name: insert
insert into entity (owner, id, namespace, type, label, sealed, status, recorded_at, version, retired_at)
values (:owner, :id, :namespace, :type, :label, :sealed, :status, :recorded_at, :version, :retired_at)
on conflict (owner, id) do nothing;

-- name: replace
update entity set
    namespace = :namespace, type = :type, label = :label, sealed = :sealed, status = :status,
    recorded_at = :recorded_at, version = :version, retired_at = :retired_at
where owner = :owner and id = :id and version = :expected;

-- name: version
select version from entity where owner = :owner and id = :id;

-- name: labels_clear
delete from entity_label where owner = :owner and entity in (:ids*);

-- name: labels_add
insert into entity_label (owner, namespace, label, entity, rank) values (:owner, :namespace, :label, :entity, :rank)
on conflict do nothing;

-- name: select
select id, namespace, type, label, sealed, status, recorded_at, version, retired_at from entity where owner = :owner

-- name: aliases
select entity, label from entity_label where owner = :owner and entity in (:ids*) and rank > 0 order by entity, rank;

-- name: by_label
select distinct entity from entity_label
where owner = :owner and namespace in (:namespaces*) and label = :label order by entity;

-- name: delete
delete from entity where owner = :owner and id in (:ids*);
