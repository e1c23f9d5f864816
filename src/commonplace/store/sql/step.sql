-- name: insert
insert into step (owner, {step columns}) values (:owner, {step values}) on conflict (owner, id) do nothing;

-- name: replace
update step set {step changes}
where owner = :owner and id = :id and version = :expected;

-- name: version
select version from step where owner = :owner and id = :id;

-- name: select
select {step columns} from step where owner = :owner

-- name: ids
select id from step where owner = :owner and directive in (:directives*);

-- name: delete
delete from step where owner = :owner and id in (:ids*);
