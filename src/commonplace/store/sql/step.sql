-- name: insert
insert into step (
    owner, id, directive, status, order_index, generation, sealed, version, attempts, run, lease_until, lease_holder,
    depends_on
) values (
    :owner, :id, :directive, :status, :order_index, :generation, :sealed, :version, :attempts, :run, :lease_until,
    :lease_holder, :depends_on
) on conflict (owner, id) do nothing;

-- name: replace
update step set
    directive = :directive, status = :status, order_index = :order_index, generation = :generation, sealed = :sealed,
    version = :version, attempts = :attempts, run = :run, lease_until = :lease_until, lease_holder = :lease_holder,
    depends_on = :depends_on
where owner = :owner and id = :id and version = :expected;

-- name: version
select version from step where owner = :owner and id = :id;

-- name: select
select
    id, directive, status, order_index, generation, sealed, version, attempts, run, lease_until, lease_holder,
    depends_on
from step where owner = :owner

-- name: ids
select id from step where owner = :owner and directive in (:directives*);

-- name: delete
delete from step where owner = :owner and id in (:ids*);
