-- The book. Every primary key starts with owner, every foreign key carries it; rows are spread by owner.
-- {schema}, {partitions} and {role} are filled in by migrate; the search path is the book's schema, then public.

create extension if not exists vector with schema public;

create table owner (
    owner text collate "C" not null primary key,
    plan text collate "C" not null,
    timezone text collate "C",
    language text collate "C",
    created_at bigint not null,
    sequence bigint not null default 0,
    next_doc bigint not null default 1,
    revision bigint not null default 0
) partition by hash (owner);

create table change (
    owner text collate "C" not null,
    sequence bigint not null,
    at bigint not null,
    noun text collate "C" not null,
    id text collate "C" not null,
    operation text collate "C" not null,
    doc bigint,
    namespace text collate "C",
    primary key (owner, sequence)
) partition by hash (owner);

create table namespace (
    owner text collate "C" not null,
    id text collate "C" not null,
    label bytea not null,
    sealed bytea not null,
    created_at bigint not null,
    documents bigint not null default 0,
    length bigint not null default 0,
    primary key (owner, id),
    unique (owner, label)
) partition by hash (owner);

create table memory (
    owner text collate "C" not null,
    id text collate "C" not null,
    namespace text collate "C" not null,
    kind text collate "C" not null,
    category text collate "C" not null,
    status text collate "C" not null,
    source text collate "C" not null,
    importance double precision not null,
    confidence double precision not null,
    recorded_at bigint not null,
    fingerprint bytea not null,
    sealed bytea not null,
    doc bigint not null,
    version integer not null,
    key bytea,
    pinned boolean not null,
    valid_from bigint,
    valid_to bigint,
    retired_at bigint,
    last_confirmed_at bigint,
    last_used_at bigint,
    uses integer not null,
    expires_at bigint,
    directive text collate "C",
    step text collate "C",
    session text collate "C",
    role text collate "C",
    said_at bigint,
    position bigint,
    primary key (owner, id),
    foreign key (owner, namespace) references namespace (owner, id) deferrable initially deferred
) partition by hash (owner);
create unique index memory_doc on memory (owner, doc);
create index memory_namespace on memory (owner, namespace, status, kind);
create index memory_fingerprint on memory (owner, namespace, fingerprint, status);
create index memory_important on memory (owner, namespace, kind, importance desc, id);
create index memory_key on memory (owner, namespace, key, status) where key is not null;
create index memory_session on memory (owner, session) where session is not null;
create index memory_directive on memory (owner, directive) where directive is not null;
create index memory_expires on memory (owner, expires_at) where expires_at is not null;

create table attribute (
    owner text collate "C" not null,
    hash bytea not null,
    memory text collate "C" not null,
    primary key (owner, hash, memory),
    foreign key (owner, memory) references memory (owner, id) on delete cascade deferrable initially deferred
) partition by hash (owner);
create index attribute_memory on attribute (owner, memory);

create table version (
    owner text collate "C" not null,
    noun text collate "C" not null,
    id text collate "C" not null,
    version integer not null,
    recorded_at bigint not null,
    superseded_at bigint,
    actor text collate "C" not null,
    action text collate "C" not null,
    sealed bytea not null,
    doc bigint,
    primary key (owner, noun, id, version)
) partition by hash (owner);
create index version_doc on version (owner, doc) where doc is not null;

create table evidence (
    owner text collate "C" not null,
    noun text collate "C" not null,
    id text collate "C" not null,
    episode text collate "C" not null,
    sealed bytea,
    primary key (owner, noun, id, episode)
) partition by hash (owner);
create index evidence_episode on evidence (owner, episode);

create table session (
    owner text collate "C" not null,
    id text collate "C" not null,
    namespace text collate "C" not null,
    label bytea not null,
    sealed bytea not null,
    started_at bigint not null,
    position bigint not null,
    next_doc bigint not null,
    end_doc bigint not null,
    primary key (owner, id),
    unique (owner, namespace, label),
    foreign key (owner, namespace) references namespace (owner, id) deferrable initially deferred
) partition by hash (owner);

create table tag (
    owner text collate "C" not null,
    id text collate "C" not null,
    namespace text collate "C" not null,
    label bytea not null,
    sealed bytea not null,
    created_at bigint not null,
    primary key (owner, id),
    unique (owner, namespace, label),
    foreign key (owner, namespace) references namespace (owner, id) deferrable initially deferred
) partition by hash (owner);

-- Every label a tag answers to, its own (rank 0) and its synonyms in their order.
create table tag_label (
    owner text collate "C" not null,
    namespace text collate "C" not null,
    label bytea not null,
    tag text collate "C" not null,
    rank integer not null,
    primary key (owner, namespace, label),
    foreign key (owner, tag) references tag (owner, id) on delete cascade deferrable initially deferred
) partition by hash (owner);
create index tag_label_tag on tag_label (owner, tag);

create table tag_link (
    owner text collate "C" not null,
    noun text collate "C" not null,
    id text collate "C" not null,
    tag text collate "C" not null,
    rank integer not null,
    primary key (owner, noun, id, tag),
    foreign key (owner, tag) references tag (owner, id) on delete cascade deferrable initially deferred
) partition by hash (owner);
create index tag_link_tag on tag_link (owner, tag);

create table entity (
    owner text collate "C" not null,
    id text collate "C" not null,
    namespace text collate "C" not null,
    type text collate "C" not null,
    label bytea not null,
    sealed bytea not null,
    status text collate "C" not null,
    recorded_at bigint not null,
    version integer not null,
    retired_at bigint,
    primary key (owner, id),
    foreign key (owner, namespace) references namespace (owner, id) deferrable initially deferred
) partition by hash (owner);
create index entity_namespace on entity (owner, namespace);

-- Its own label has rank 0, aliases follow in their order.
create table entity_label (
    owner text collate "C" not null,
    namespace text collate "C" not null,
    label bytea not null,
    entity text collate "C" not null,
    rank integer not null,
    primary key (owner, namespace, label, entity),
    foreign key (owner, entity) references entity (owner, id) on delete cascade deferrable initially deferred
) partition by hash (owner);
create index entity_label_entity on entity_label (owner, entity);

create table relation (
    owner text collate "C" not null,
    id text collate "C" not null,
    namespace text collate "C" not null,
    subject text collate "C" not null,
    predicate text collate "C" not null,
    object text collate "C" not null,
    status text collate "C" not null,
    source text collate "C" not null,
    confidence double precision not null,
    fingerprint bytea not null,
    sealed bytea not null,
    recorded_at bigint not null,
    version integer not null,
    pinned boolean not null,
    valid_from bigint,
    valid_to bigint,
    retired_at bigint,
    last_confirmed_at bigint,
    primary key (owner, id),
    foreign key (owner, namespace) references namespace (owner, id) deferrable initially deferred,
    foreign key (owner, subject) references entity (owner, id) deferrable initially deferred,
    foreign key (owner, object) references entity (owner, id) deferrable initially deferred
) partition by hash (owner);
create index relation_fingerprint on relation (owner, namespace, fingerprint);
create index relation_subject on relation (owner, subject);
create index relation_object on relation (owner, object);

create table tombstone (
    owner text collate "C" not null,
    namespace text collate "C" not null,
    fingerprint bytea not null,
    reason text collate "C" not null,
    at bigint not null,
    target text collate "C",
    primary key (owner, namespace, fingerprint)
) partition by hash (owner);

create table directive (
    owner text collate "C" not null,
    id text collate "C" not null,
    namespace text collate "C" not null,
    status text collate "C" not null,
    created_at bigint not null,
    sealed bytea not null,
    version integer not null,
    memory_enabled boolean not null,
    goal_updated_at bigint,
    started_at bigint,
    lease_until bigint,
    lease_holder text collate "C",
    primary key (owner, id),
    foreign key (owner, namespace) references namespace (owner, id) deferrable initially deferred
) partition by hash (owner);
create index directive_namespace on directive (owner, namespace);

create table step (
    owner text collate "C" not null,
    id text collate "C" not null,
    directive text collate "C" not null,
    status text collate "C" not null,
    order_index integer not null,
    generation integer not null,
    sealed bytea not null,
    version integer not null,
    attempts integer not null,
    run text collate "C",
    lease_until bigint,
    lease_holder text collate "C",
    depends_on text collate "C" not null,
    primary key (owner, id),
    foreign key (owner, directive) references directive (owner, id) on delete cascade deferrable initially deferred
) partition by hash (owner);
create index step_directive on step (owner, directive, order_index);

create table job (
    owner text collate "C" not null,
    id text collate "C" not null,
    kind text collate "C" not null,
    state text collate "C" not null,
    due_at bigint not null,
    created_at bigint not null,
    sealed bytea not null,
    attempts integer not null,
    lease_until bigint,
    lease_holder text collate "C",
    finished_at bigint,
    error bytea,
    wish bytea,
    primary key (owner, id)
) partition by hash (owner);
create index job_state on job (owner, state, due_at);
create index job_open on job (due_at) where state in ('waiting', 'leased');
create unique index job_wish on job (owner, wish) where wish is not null and state in ('waiting', 'leased');

create table audit (
    owner text collate "C" not null,
    sequence bigint not null,
    at bigint not null,
    actor text collate "C" not null,
    action text collate "C" not null,
    noun text collate "C" not null,
    target text collate "C" not null,
    before bytea,
    after bytea,
    hash bytea not null,
    reason bytea,
    reason_digest bytea,
    primary key (owner, sequence)
) partition by hash (owner);

create table receipt (
    owner text collate "C" not null,
    ref text collate "C" not null,
    action text collate "C" not null,
    at bigint not null,
    actor text collate "C" not null,
    state text collate "C" not null,
    sealed bytea not null,
    primary key (owner, ref)
) partition by hash (owner);

create table trace (
    owner text collate "C" not null,
    id text collate "C" not null,
    kind text collate "C" not null,
    at bigint not null,
    sealed bytea not null,
    target text collate "C",
    primary key (owner, id)
) partition by hash (owner);
create index trace_kind on trace (owner, kind, id);
create index trace_target on trace (owner, target, id) where target is not null;

create table usage (
    owner text collate "C" not null,
    day text collate "C" not null,
    what text collate "C" not null,
    calls bigint not null,
    tokens bigint not null,
    primary key (owner, day, what)
) partition by hash (owner);

-- Postings of blinded terms: packed records (doc u32, tf u8, length u8, little-endian), and those not packed yet.
create table word (
    owner text collate "C" not null,
    namespace text collate "C" not null,
    term bigint not null,
    first bigint not null,
    data bytea not null,
    primary key (owner, namespace, term, first)
) partition by hash (owner);

create table fresh (
    owner text collate "C" not null,
    namespace text collate "C" not null,
    term bigint not null,
    doc bigint not null,
    tf smallint not null,
    length smallint not null,
    primary key (owner, namespace, term, doc)
) partition by hash (owner);

-- Which models have vectors in which namespace, and of how many documents.
create table vector_set (
    owner text collate "C" not null,
    namespace text collate "C" not null,
    model text collate "C" not null,
    documents bigint not null,
    primary key (owner, namespace, model)
) partition by hash (owner);

create table vector (
    owner text collate "C" not null,
    namespace text collate "C" not null,
    model text collate "C" not null,
    doc bigint not null,
    part integer not null,
    data halfvec not null,
    indexed boolean not null default false,
    primary key (owner, namespace, model, doc, part)
) partition by hash (owner);
create index vector_waiting on vector (owner, namespace, model) where not indexed;

-- What must be known before an owner is.
create table token (
    owner text collate "C" not null,
    id text collate "C" not null,
    hash bytea not null,
    scope text collate "C" not null,
    created_at bigint not null,
    expires_at bigint,
    revoked_at bigint,
    namespaces text collate "C" not null,
    sealed bytea not null,
    primary key (owner, id)
);
create unique index token_hash on token (hash);

create table lease (
    name text collate "C" not null primary key,
    holder text collate "C" not null,
    until bigint not null
);

-- Partitions, and row level security as a second lock: on every table and every partition, for the owner of the
-- tables as well, and no grant on a partition, so that nobody reads past the policy of the parent.
do $do$
declare
    parent text;
    part text;
    one text;
    mine text := $$owner = nullif(current_setting('commonplace.owner', true), '')$$;
begin
    for parent in
        select c.relname from pg_class c where c.relnamespace = '{schema}'::regnamespace and c.relkind in ('p', 'r')
            and c.relname <> 'schema_version' order by c.relname
    loop
        if (select relkind from pg_class where oid = parent::regclass) = 'p' then
            for number in 0 .. {partitions} - 1 loop
                part := parent || '_' || number;
                execute format('create table %I partition of %I for values with (modulus {partitions}, remainder %s)',
                    part, parent, number);
            end loop;
        end if;
        for one in
            select parent union all
            select inhrelid::regclass::text from pg_inherits where inhparent = parent::regclass
        loop
            execute format('alter table %s enable row level security', one);
            execute format('alter table %s force row level security', one);
            if parent <> 'lease' then
                execute format('create policy owner_only on %s using (%s) with check (%s)', one, mine, mine);
            end if;
            if parent in ('owner', 'job', 'token', 'lease') then
                execute format(
                    'create policy definer on %s for all to current_user using (current_setting(%L, true) = %L)',
                    one, 'commonplace.definer', 'on');
            end if;
        end loop;
    end loop;
end
$do$;

-- What is asked before an owner is known goes through these and nothing else. The setting that the policy `definer`
-- looks at counts only for the role that owns the tables, and is gone when the function ends.
create function account_token(wanted bytea) returns setof token
language plpgsql volatile security definer
set search_path = {schema}, pg_temp
as $$
begin
    perform set_config('commonplace.definer', 'on', true);
    return query select t.* from token t where t.hash = wanted;
    perform set_config('commonplace.definer', '', true);
end
$$;

create function account_owners() returns setof owner
language plpgsql volatile security definer
set search_path = {schema}, pg_temp
as $$
begin
    perform set_config('commonplace.definer', 'on', true);
    return query select o.* from owner o order by o.owner;
    perform set_config('commonplace.definer', '', true);
end
$$;

create function account_due_owners(moment bigint) returns setof text
language plpgsql volatile security definer
set search_path = {schema}, pg_temp
as $$
begin
    perform set_config('commonplace.definer', 'on', true);
    return query
        select distinct j.owner from job j
        where j.state in ('waiting', 'leased')
            and case j.state when 'waiting' then j.due_at else j.lease_until end <= moment
        order by j.owner;
    perform set_config('commonplace.definer', '', true);
end
$$;

create function lease_take(wanted text, taker text, moment bigint, ends bigint) returns setof text
language plpgsql volatile security definer
set search_path = {schema}, pg_temp
as $$
begin
    perform set_config('commonplace.definer', 'on', true);
    return query
        insert into lease as l (name, holder, until) values (wanted, taker, ends)
        on conflict (name) do update set holder = excluded.holder, until = excluded.until
        where l.holder = excluded.holder or l.until <= moment
        returning l.name;
    perform set_config('commonplace.definer', '', true);
end
$$;

create function lease_release(wanted text, giver text) returns void
language plpgsql volatile security definer
set search_path = {schema}, pg_temp
as $$
begin
    perform set_config('commonplace.definer', 'on', true);
    delete from lease l where l.name = wanted and l.holder = giver;
    perform set_config('commonplace.definer', '', true);
end
$$;

-- An index for one model and dimension. It is empty when made, hence quick: rows enter it when they are marked.
create function vector_index(wanted text, dimension integer) returns void
language plpgsql volatile security definer
set search_path = {schema}, public, pg_temp
as $$
declare
    name text := 'vector_near_' || substr(md5(wanted || ' ' || dimension), 1, 12);
begin
    if to_regclass(format('%I', name)) is null then
        perform pg_advisory_xact_lock(hashtext(name));
        execute format(
            'create index if not exists %I on vector using hnsw ((data::halfvec(%s)) halfvec_ip_ops) '
            'with (m = 16, ef_construction = 96) where indexed and model = %L', name, dimension, wanted);
    end if;
end
$$;

do $do$
declare
    parent text;
begin
    revoke all on all functions in schema {schema} from public;
    if exists (select from pg_roles where rolname = '{role}') then
        grant usage on schema {schema} to {role};
        grant select on schema_version to {role};
        grant execute on all functions in schema {schema} to {role};
        for parent in
            select c.relname from pg_class c
            where c.relnamespace = '{schema}'::regnamespace and c.relkind in ('p', 'r') and not c.relispartition
                and c.relname not in ('schema_version', 'lease')
        loop
            execute format('grant select, insert, update, delete on %I to {role}', parent);
        end loop;
    end if;
end
$do$;
