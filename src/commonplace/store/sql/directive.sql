-- name: insert
insert into directive (owner, {directive columns}) values (:owner, {directive values}) on conflict (owner, id) do nothing;

-- name: replace
update directive set {directive changes}
where owner = :owner and id = :id and version = :expected;

-- name: version
select version from directive where owner = :owner and id = :id;

-- name: select
select {directive columns} from directive where owner = :owner

-- name: lease
update directive set lease_until = :until, lease_holder = :holder
where owner = :owner and id = :id and (lease_holder is null or lease_holder = :holder or lease_until <= :now);

-- name: release
update directive set lease_until = null, lease_holder = null
where owner = :owner and id = :id and lease_holder = :holder;

-- name: delete
delete from directive where owner = :owner and id in (:ids*);
