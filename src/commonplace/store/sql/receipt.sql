-- name: put
insert into receipt (owner, ref, action, at, actor, state, sealed)
values (:owner, :ref, :action, :at, :actor, :state, :sealed)
on conflict (owner, ref) do update set
    action = excluded.action, at = excluded.at, actor = excluded.actor, state = excluded.state,
    sealed = excluded.sealed;

-- name: select
select ref, action, at, actor, state, sealed from receipt where owner = :owner

-- name: delete
delete from receipt where owner = :owner and ref in (:ids*);
