-- The book. Every primary key starts with owner, every foreign key carries it.

create table owner (
    owner text not null primary key,
    plan text not null,
    timezone text,
    language text,
    created_at integer not null,
    sequence integer not null default 0,
    next_doc integer not null default 1,
    revision integer not null default 0
) strict, without rowid;

create table change (
    owner text not null,
    sequence integer not null,
    at integer not null,
    noun text not null,
    id text not null,
    operation text not null,
    doc integer,
    namespace text,
    primary key (owner, sequence)
) strict, without rowid;

create table namespace (
    owner text not null,
    id text not null,
    label blob not null,
    sealed blob not null,
    created_at integer not null,
    documents integer not null default 0,
    length integer not null default 0,
    primary key (owner, id),
    unique (owner, label)
) strict, without rowid;

create table memory (
    owner text not null,
    id text not null,
    namespace text not null,
    kind text not null,
    category text not null,
    status text not null,
    source text not null,
    importance real not null,
    confidence real not null,
    recorded_at integer not null,
    fingerprint blob not null,
    sealed blob not null,
    doc integer not null,
    version integer not null,
    key blob,
    pinned integer not null,
    valid_from integer,
    valid_to integer,
    retired_at integer,
    last_confirmed_at integer,
    last_used_at integer,
    uses integer not null,
    expires_at integer,
    directive text,
    step text,
    session text,
    role text,
    said_at integer,
    position integer,
    primary key (owner, id),
    foreign key (owner, namespace) references namespace (owner, id) deferrable initially deferred
) strict, without rowid;
create unique index memory_doc on memory (owner, doc);
create index memory_namespace on memory (owner, namespace, status, kind);
create index memory_fingerprint on memory (owner, namespace, fingerprint, status);
create index memory_important on memory (owner, namespace, kind, importance desc, id);
create index memory_key on memory (owner, namespace, key, status) where key is not null;
create index memory_session on memory (owner, session) where session is not null;
create index memory_directive on memory (owner, directive) where directive is not null;
create index memory_expires on memory (owner, expires_at) where expires_at is not null;

create table attribute (
    owner text not null,
    hash blob not null,
    memory text not null,
    primary key (owner, hash, memory),
    foreign key (owner, memory) references memory (owner, id) on delete cascade deferrable initially deferred
) strict, without rowid;
create index attribute_memory on attribute (owner, memory);

create table version (
    owner text not null,
    noun text not null,
    id text not null,
    version integer not null,
    recorded_at integer not null,
    superseded_at integer,
    actor text not null,
    action text not null,
    sealed blob not null,
    doc integer,
    primary key (owner, noun, id, version)
) strict, without rowid;
create index version_doc on version (owner, doc) where doc is not null;

create table evidence (
    owner text not null,
    noun text not null,
    id text not null,
    episode text not null,
    sealed blob,
    primary key (owner, noun, id, episode)
) strict, without rowid;
create index evidence_episode on evidence (owner, episode);

create table session (
    owner text not null,
    id text not null,
    namespace text not null,
    label blob not null,
    sealed blob not null,
    started_at integer not null,
    position integer not null,
    next_doc integer not null,
    end_doc integer not null,
    primary key (owner, id),
    unique (owner, namespace, label),
    foreign key (owner, namespace) references namespace (owner, id) deferrable initially deferred
) strict, without rowid;

create table tag (
    owner text not null,
    id text not null,
    namespace text not null,
    label blob not null,
    sealed blob not null,
    created_at integer not null,
    primary key (owner, id),
    unique (owner, namespace, label),
    foreign key (owner, namespace) references namespace (owner, id) deferrable initially deferred
) strict, without rowid;

-- Every label a tag answers to, its own (rank 0) and its synonyms in their order.
create table tag_label (
    owner text not null,
    namespace text not null,
    label blob not null,
    tag text not null,
    rank integer not null,
    primary key (owner, namespace, label),
    foreign key (owner, tag) references tag (owner, id) on delete cascade deferrable initially deferred
) strict, without rowid;
create index tag_label_tag on tag_label (owner, tag);

create table tag_link (
    owner text not null,
    noun text not null,
    id text not null,
    tag text not null,
    rank integer not null,
    primary key (owner, noun, id, tag),
    foreign key (owner, tag) references tag (owner, id) on delete cascade deferrable initially deferred
) strict, without rowid;
create index tag_link_tag on tag_link (owner, tag);

create table entity (
    owner text not null,
    id text not null,
    namespace text not null,
    type text not null,
    label blob not null,
    sealed blob not null,
    status text not null,
    recorded_at integer not null,
    version integer not null,
    retired_at integer,
    primary key (owner, id),
    foreign key (owner, namespace) references namespace (owner, id) deferrable initially deferred
) strict, without rowid;
create index entity_namespace on entity (owner, namespace);

-- Its own label has rank 0, aliases follow in their order.
create table entity_label (
    owner text not null,
    namespace text not null,
    label blob not null,
    entity text not null,
    rank integer not null,
    primary key (owner, namespace, label, entity),
    foreign key (owner, entity) references entity (owner, id) on delete cascade deferrable initially deferred
) strict, without rowid;
create index entity_label_entity on entity_label (owner, entity);

create table relation (
    owner text not null,
    id text not null,
    namespace text not null,
    subject text not null,
    predicate text not null,
    object text not null,
    status text not null,
    source text not null,
    confidence real not null,
    fingerprint blob not null,
    sealed blob not null,
    recorded_at integer not null,
    version integer not null,
    pinned integer not null,
    valid_from integer,
    valid_to integer,
    retired_at integer,
    last_confirmed_at integer,
    primary key (owner, id),
    foreign key (owner, namespace) references namespace (owner, id) deferrable initially deferred,
    foreign key (owner, subject) references entity (owner, id) deferrable initially deferred,
    foreign key (owner, object) references entity (owner, id) deferrable initially deferred
) strict, without rowid;
create index relation_fingerprint on relation (owner, namespace, fingerprint);
create index relation_subject on relation (owner, subject);
create index relation_object on relation (owner, object);

create table tombstone (
    owner text not null,
    namespace text not null,
    fingerprint blob not null,
    reason text not null,
    at integer not null,
    target text,
    primary key (owner, namespace, fingerprint)
) strict, without rowid;

create table directive (
    owner text not null,
    id text not null,
    namespace text not null,
    status text not null,
    created_at integer not null,
    sealed blob not null,
    version integer not null,
    memory_enabled integer not null,
    goal_updated_at integer,
    started_at integer,
    lease_until integer,
    lease_holder text,
    primary key (owner, id),
    foreign key (owner, namespace) references namespace (owner, id) deferrable initially deferred
) strict, without rowid;
create index directive_namespace on directive (owner, namespace);

create table step (
    owner text not null,
    id text not null,
    directive text not null,
    status text not null,
    order_index integer not null,
    generation integer not null,
    sealed blob not null,
    version integer not null,
    attempts integer not null,
    run text,
    lease_until integer,
    lease_holder text,
    depends_on text not null,
    primary key (owner, id),
    foreign key (owner, directive) references directive (owner, id) on delete cascade deferrable initially deferred
) strict, without rowid;
create index step_directive on step (owner, directive, order_index);

create table job (
    owner text not null,
    id text not null,
    kind text not null,
    state text not null,
    due_at integer not null,
    created_at integer not null,
    sealed blob not null,
    attempts integer not null,
    lease_until integer,
    lease_holder text,
    finished_at integer,
    error blob,
    wish blob,
    primary key (owner, id)
) strict, without rowid;
create index job_state on job (owner, state, due_at);
create index job_open on job (due_at) where state in ('waiting', 'leased');
create unique index job_wish on job (owner, wish) where wish is not null and state in ('waiting', 'leased');

create table audit (
    owner text not null,
    sequence integer not null,
    at integer not null,
    actor text not null,
    action text not null,
    noun text not null,
    target text not null,
    before blob,
    after blob,
    hash blob not null,
    reason blob,
    reason_digest blob,
    primary key (owner, sequence)
) strict, without rowid;

create table receipt (
    owner text not null,
    ref text not null,
    action text not null,
    at integer not null,
    actor text not null,
    state text not null,
    sealed blob not null,
    primary key (owner, ref)
) strict, without rowid;

create table trace (
    owner text not null,
    id text not null,
    kind text not null,
    at integer not null,
    sealed blob not null,
    target text,
    primary key (owner, id)
) strict, without rowid;
create index trace_kind on trace (owner, kind, id);
create index trace_target on trace (owner, target, id) where target is not null;

create table usage (
    owner text not null,
    day text not null,
    what text not null,
    calls integer not null,
    tokens integer not null,
    primary key (owner, day, what)
) strict, without rowid;

-- Postings of blinded terms: packed records (doc u32, tf u8, length u8, little-endian), and those not packed yet.
create table word (
    owner text not null,
    namespace text not null,
    term integer not null,
    first integer not null,
    data blob not null,
    primary key (owner, namespace, term, first)
) strict, without rowid;

create table fresh (
    owner text not null,
    namespace text not null,
    term integer not null,
    doc integer not null,
    tf integer not null,
    length integer not null,
    primary key (owner, namespace, term, doc)
) strict, without rowid;

-- Which models have vectors in which namespace, and of how many documents.
create table vector_set (
    owner text not null,
    namespace text not null,
    model text not null,
    documents integer not null,
    primary key (owner, namespace, model)
) strict, without rowid;

create table vector (
    owner text not null,
    namespace text not null,
    model text not null,
    doc integer not null,
    part integer not null,
    data blob not null,
    primary key (owner, namespace, model, doc, part)
) strict, without rowid;

-- What must be known before an owner is.
create table token (
    owner text not null,
    id text not null,
    hash blob not null,
    scope text not null,
    created_at integer not null,
    expires_at integer,
    revoked_at integer,
    namespaces text not null,
    sealed blob not null,
    primary key (owner, id)
) strict, without rowid;
create unique index token_hash on token (hash);

create table lease (
    name text not null primary key,
    holder text not null,
    until integer not null
) strict, without rowid;
