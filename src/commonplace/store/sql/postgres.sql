-- What PostgreSQL alone is asked.

-- name: named
-- In every transaction, whatever session it has: a role that walks past row level security never asks anything.
select set_config('role', :role, true), set_config('commonplace.owner', :owner, true);

-- name: locked
-- Makes or locks the owner's row, and says it as owner.get would.
insert into owner as o (owner, plan, created_at, revision) values (:owner, :plan, :now, 1)
on conflict (owner) do update set revision = o.revision + 1
returning owner, plan, timezone, language, created_at, sequence, next_doc, ledger, revision;

-- name: nearest_settings
-- Rows come sorted out of the index; without sorting allowed the planner cannot prefer a scan of all of them, which it
-- does when its statistics are older than the index.
select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('hnsw.iterative_scan', 'strict_order', true),
    set_config('hnsw.ef_search', :breadth, true), set_config('hnsw.max_scan_tuples', '200000', true),
    set_config('enable_sort', 'off', true);

-- name: nearest_settings_off
select set_config('enable_sort', 'on', true);

-- name: nearest
select doc, min(data <#> cast(:question as public.halfvec)) as away from vector
where owner = :owner and namespace = :namespace and model = :model
group by doc order by away, doc limit :limit;

-- name: nearest_waiting
select doc, min(data <#> cast(:question as public.halfvec)) as away from vector
where owner = :owner and namespace = :namespace and model = :model and not indexed
group by doc order by away, doc limit :limit;

-- name: nearest_indexed
select doc, cast(data as public.halfvec({dimension})) <#> cast(:question as public.halfvec({dimension})) as away
from vector where owner = :owner and namespace = :namespace and model = :model and indexed
order by away limit :limit;

-- name: products
-- In one cell: to send a row for each takes longer than to multiply them.
select string_agg(int8send((doc << 32) | (-cast(data <#> cast(:question as public.halfvec) as bigint) & 4294967295)), '')
from vector where owner = :owner and namespace = :namespace and model = :model;

-- name: mark_indexed
update vector set indexed = true where (owner, namespace, model, doc, part) in (
    select owner, namespace, model, doc, part from vector
    where owner = :owner and namespace = :namespace and model = :model and not indexed
    order by doc, part limit :limit
);

-- name: dimension
select public.vector_dims(data) from vector
where owner = :owner and namespace = :namespace and model = :model limit 1;

-- name: make_index
select vector_index(:model, cast(:dimension as integer));

-- name: has_index
select to_regclass('vector_near_' || substr(md5(:model || ' ' || :dimension), 1, 12)) is not null;

-- name: fresh_add
insert into fresh (owner, namespace, term, doc, tf, length)
select :owner, :namespace, row.* from unnest(
    cast(:terms as bigint[]), cast(:docs as bigint[]), cast(:tfs as smallint[]), cast(:lengths as smallint[])
) as row;

-- name: fresh_put
insert into fresh (owner, namespace, term, doc, tf, length)
select :owner, :namespace, row.* from unnest(
    cast(:terms as bigint[]), cast(:docs as bigint[]), cast(:tfs as smallint[]), cast(:lengths as smallint[])
) as row
on conflict (owner, namespace, term, doc) do update set tf = excluded.tf, length = excluded.length;

-- name: block_put
insert into word (owner, namespace, term, first, data)
select :owner, :namespace, row.* from unnest(
    cast(:terms as bigint[]), cast(:firsts as bigint[]), cast(:datas as bytea[])
) as row
on conflict (owner, namespace, term, first) do update set data = excluded.data;

-- name: token
select id, owner, hash, scope, created_at, expires_at, revoked_at, namespaces, sealed from account_token(:hash);

-- name: owners
select owner, plan, timezone, language, created_at, sequence, next_doc, ledger from account_owners();

-- name: due_owners
select account_due_owners(:now);

-- name: lease
select lease_take(:name, :holder, :now, :until);

-- name: release
select lease_release(:name, :holder);

-- name: unchecked_rules
select 'rule ' || conname || ' of ' || conrelid::regclass::text || ' was never checked'
from pg_constraint c join pg_namespace n on n.oid = c.connamespace where n.nspname = %s and not convalidated;

-- name: invalid_indexes
select indexrelid::regclass::text from pg_index i join pg_class c on c.oid = i.indexrelid
join pg_namespace n on n.oid = c.relnamespace where n.nspname = %s and not indisvalid and c.relkind = 'i';
