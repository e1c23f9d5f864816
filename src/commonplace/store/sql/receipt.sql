-- name: put
insert into receipt (owner, {receipt columns})
values (:owner, {receipt values})
on conflict (owner, ref) do update set
    action = excluded.action, at = excluded.at, actor = excluded.actor, state = excluded.state,
    sealed = excluded.sealed;

-- name: select
select {receipt columns} from receipt where owner = :owner

-- name: delete
delete from receipt where owner = :owner and ref in (:ids*);
