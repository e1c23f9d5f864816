-- name: insert
insert into directive (
    owner, id, namespace, status, created_at, sealed, version, memory_enabled, goal_updated_at, started_at,
    lease_until, lease_holder
) values (
    :owner, :id, :namespace, :status, :created_at, :sealed, :version, :memory_enabled, :goal_updated_at, :started_at,
    :lease_until, :lease_holder
) on conflict (owner, id) do nothing;

-- name: replace
update directive set
    namespace = :namespace, status = :status, created_at = :created_at, sealed = :sealed, version = :version,
    memory_enabled = :memory_enabled, goal_updated_at = :goal_updated_at, started_at = :started_at,
    lease_until = :lease_until, lease_holder = :lease_holder
where owner = :owner and id = :id and version = :expected;

-- name: version
select version from directive where owner = :owner and id = :id;

-- name: select
select
    id, namespace, status, created_at, sealed, version, memory_enabled, goal_updated_at, started_at, lease_until,
    lease_holder
from directive where owner = :owner

-- name: lease
update directive set lease_until = :until, lease_holder = :holder
where owner = :owner and id = :id and (lease_holder is null or lease_holder = :holder or lease_until <= :now);

-- name: release
update directive set lease_until = null, lease_holder = null
where owner = :owner and id = :id and lease_holder = :holder;

-- name: delete
delete from directive where owner = :owner and id in (:ids*);
