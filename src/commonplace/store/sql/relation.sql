-- name: insert
insert into relation (
    owner, id, namespace, subject, predicate, object, status, source, confidence, fingerprint, sealed, recorded_at,
    version, pinned, valid_from, valid_to, retired_at, last_confirmed_at
) values (
    :owner, :id, :namespace, :subject, :predicate, :object, :status, :source, :confidence, :fingerprint, :sealed,
    :recorded_at, :version, :pinned, :valid_from, :valid_to, :retired_at, :last_confirmed_at
) on conflict (owner, id) do nothing;

-- name: replace
update relation set
    namespace = :namespace, subject = :subject, predicate = :predicate, object = :object, status = :status,
    source = :source, confidence = :confidence, fingerprint = :fingerprint, sealed = :sealed,
    recorded_at = :recorded_at, version = :version, pinned = :pinned, valid_from = :valid_from, valid_to = :valid_to,
    retired_at = :retired_at, last_confirmed_at = :last_confirmed_at
where owner = :owner and id = :id and version = :expected;

-- name: version
select version from relation where owner = :owner and id = :id;

-- name: select
select
    id, namespace, subject, predicate, object, status, source, confidence, fingerprint, sealed, recorded_at, version,
    pinned, valid_from, valid_to, retired_at, last_confirmed_at
from relation where owner = :owner

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
