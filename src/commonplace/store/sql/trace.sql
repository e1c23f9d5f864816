-- name: put
insert into trace (owner, id, kind, at, sealed, target) values (:owner, :id, :kind, :at, :sealed, :target)
on conflict (owner, id) do update set
    kind = excluded.kind, at = excluded.at, sealed = excluded.sealed, target = excluded.target;

-- name: select
select id, kind, at, sealed, target from trace where owner = :owner

-- name: delete
delete from trace where owner = :owner
