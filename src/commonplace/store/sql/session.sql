-- name: put
insert into session (owner, {session columns})
values (:owner, {session values})
on conflict (owner, id) do update set {session excluded};

-- name: select
select {session columns} from session where owner = :owner

-- name: delete
delete from session where owner = :owner and id in (:ids*);
