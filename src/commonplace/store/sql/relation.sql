-- name: insert
insert into relation (owner, {relation columns}) values (:owner, {relation values}) on conflict (owner, id) do nothing;

-- name: replace
update relation set {relation changes}
where owner = :owner and id = :id and version = :expected;

-- name: version
select version from relation where owner = :owner and id = :id;

-- name: select
select {relation columns} from relation where owner = :owner

-- name: surest
and namespace in (:namespaces*) and status in (:statuses*) and (status = 'verified' or source in (:sources*))
    and (valid_from is null or valid_from <= :valid_at) and (valid_to is null or valid_to > :valid_at)
    and exists (
        select 1 from entity
        where entity.owner = :owner and entity.id in (relation.subject, relation.object) and entity.type in (:types*)
    )
order by confidence desc, id limit :limit;

-- name: delete
delete from relation where owner = :owner and id in (:ids*);
