-- name: get
select owner, plan, timezone, language, created_at, sequence, next_doc, ledger, revision from owner where owner = :owner;

-- name: make
insert into owner (owner, plan, created_at) values (:owner, :plan, :at) on conflict (owner) do nothing;

-- name: bump
update owner set revision = revision + 1 where owner = :owner;

-- name: revision
select revision from owner where owner = :owner;

-- name: ledger
select ledger from owner where owner = :owner;

-- name: put
update owner set plan = :plan, timezone = :timezone, language = :language where owner = :owner;

-- name: count
update owner set next_doc = :next_doc, sequence = :sequence, ledger = :ledger where owner = :owner;
