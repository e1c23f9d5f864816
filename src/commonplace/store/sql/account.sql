-- name: token
select id, owner, hash, scope, created_at, expires_at, revoked_at, namespaces, sealed from token where hash = :hash;

-- name: put_token
insert into token (owner, id, hash, scope, created_at, expires_at, revoked_at, namespaces, sealed)
values (:owner, :id, :hash, :scope, :created_at, :expires_at, :revoked_at, :namespaces, :sealed)
on conflict (owner, id) do update set
    hash = excluded.hash, scope = excluded.scope, created_at = excluded.created_at, expires_at = excluded.expires_at,
    revoked_at = excluded.revoked_at, namespaces = excluded.namespaces, sealed = excluded.sealed;

-- name: replace_token
update token set scope = :scope, expires_at = :expires_at
where owner = :owner and id = :id and scope = :expected and revoked_at is null
returning id;

-- name: tokens
select id, owner, hash, scope, created_at, expires_at, revoked_at, namespaces, sealed from token
where owner = :owner order by id;

-- name: lease
insert into lease (name, holder, until) values (:name, :holder, :until)
on conflict (name) do update set holder = excluded.holder, until = excluded.until
where lease.holder = excluded.holder or lease.until <= :now
returning name;

-- name: release
delete from lease where name = :name and holder = :holder;

-- name: owners
select owner, plan, timezone, language, created_at, sequence, next_doc, ledger from owner order by owner;

-- name: due_owners
select distinct owner from job
where state in ('waiting', 'leased') and case state when 'waiting' then due_at else lease_until end <= :now
order by owner;
