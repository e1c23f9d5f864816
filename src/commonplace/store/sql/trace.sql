-- name: put
insert into trace (owner, {trace columns}) values (:owner, {trace values})
on conflict (owner, id) do update set {trace excluded};

-- name: select
select {trace columns} from trace where owner = :owner

-- name: delete
delete from trace where owner = :owner
