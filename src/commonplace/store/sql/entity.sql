-- name: insert
insert into entity (owner, {entity columns})
values (:owner, {entity values})
on conflict (owner, id) do nothing;

-- name: replace
update entity set {entity changes}
where owner = :owner and id = :id and version = :expected;

-- name: version
select version from entity where owner = :owner and id = :id;

-- name: labels_clear
delete from entity_label where owner = :owner and entity in (:ids*);

-- name: labels_add
insert into entity_label (owner, namespace, label, entity, rank) values (:owner, :namespace, :label, :entity, :rank)
on conflict do nothing;

-- name: select
select {entity columns} from entity where owner = :owner

-- name: aliases
select entity, label from entity_label where owner = :owner and entity in (:ids*) and rank > 0 order by entity, rank;

-- name: by_label
select distinct entity from entity_label
where owner = :owner and namespace in (:namespaces*) and label = :label order by entity;

-- name: labelled
select id from entity where owner = :owner and status in (:statuses*) and id in (
    select entity from entity_label where owner = :owner and namespace in (:namespaces*) and label in (:labels*)
);

-- name: delete
delete from entity where owner = :owner and id in (:ids*);
