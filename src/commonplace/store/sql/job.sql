-- name: taken
select id from job
where owner = :owner and wish = :wish and id <> :id and wish is not null and state in ('waiting', 'leased') limit 1;

-- name: put
insert into job (owner, {job columns}) values (:owner, {job values}) on conflict (owner, id) do update set {job excluded};

-- name: due
select id from job where owner = :owner
    and (state = 'waiting' and due_at <= :now or state = 'leased' and lease_until <= :now)

-- name: lease
update job set state = 'leased', lease_until = :until, lease_holder = :holder, attempts = attempts + 1
where owner = :owner and id in (:ids*);

-- name: finish
update job set state = 'done', finished_at = :at, lease_until = null, lease_holder = null
where owner = :owner and id = :id and state = 'leased' and lease_holder = :holder;

-- name: select
select {job columns} from job where owner = :owner

-- name: counts
select kind, state, count(*) from job where owner = :owner group by kind, state;

-- name: delete
delete from job where owner = :owner and state = 'done' and finished_at < :finished_before;
