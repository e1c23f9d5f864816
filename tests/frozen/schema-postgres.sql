table attribute
    owner text not null
    hash bytea not null
    memory text not null
table audit
    owner text not null
    sequence bigint not null
    at bigint not null
    actor text not null
    action text not null
    noun text not null
    target text not null
    before bytea
    after bytea
    hash bytea not null
    reason bytea
    reason_digest bytea
table change
    owner text not null
    sequence bigint not null
    at bigint not null
    noun text not null
    id text not null
    operation text not null
    doc bigint
    namespace text
table directive
    owner text not null
    id text not null
    namespace text not null
    status text not null
    created_at bigint not null
    sealed bytea not null
    version integer not null
    memory_enabled boolean not null
    goal_updated_at bigint
    started_at bigint
    lease_until bigint
    lease_holder text
table entity
    owner text not null
    id text not null
    namespace text not null
    type text not null
    label bytea not null
    sealed bytea not null
    status text not null
    recorded_at bigint not null
    version integer not null
    retired_at bigint
table entity_label
    owner text not null
    namespace text not null
    label bytea not null
    entity text not null
    rank integer not null
table evidence
    owner text not null
    noun text not null
    id text not null
    episode text not null
    sealed bytea
table fresh
    owner text not null
    namespace text not null
    term bigint not null
    doc bigint not null
    tf smallint not null
    length smallint not null
table job
    owner text not null
    id text not null
    kind text not null
    state text not null
    due_at bigint not null
    created_at bigint not null
    sealed bytea not null
    attempts integer not null
    lease_until bigint
    lease_holder text
    finished_at bigint
    error bytea
    wish bytea
table lease
    name text not null
    holder text not null
    until bigint not null
table memory
    owner text not null
    id text not null
    namespace text not null
    kind text not null
    category text not null
    status text not null
    source text not null
    importance double precision not null
    confidence double precision not null
    recorded_at bigint not null
    fingerprint bytea not null
    sealed bytea not null
    doc bigint not null
    version integer not null
    key bytea
    pinned boolean not null
    valid_from bigint
    valid_to bigint
    retired_at bigint
    last_confirmed_at bigint
    last_used_at bigint
    uses integer not null
    expires_at bigint
    directive text
    step text
    session text
    role text
    said_at bigint
    position bigint
table namespace
    owner text not null
    id text not null
    label bytea not null
    sealed bytea not null
    created_at bigint not null
    documents bigint not null default 0
    length bigint not null default 0
table owner
    owner text not null
    plan text not null
    timezone text
    language text
    created_at bigint not null
    sequence bigint not null default 0
    next_doc bigint not null default 1
    revision bigint not null default 0
    ledger text
table passage
    owner text not null
    doc bigint not null
    model text not null
    namespace text not null
    sealed bytea not null
table receipt
    owner text not null
    ref text not null
    action text not null
    at bigint not null
    actor text not null
    state text not null
    sealed bytea not null
table relation
    owner text not null
    id text not null
    namespace text not null
    subject text not null
    predicate text not null
    object text not null
    status text not null
    source text not null
    confidence double precision not null
    fingerprint bytea not null
    sealed bytea not null
    recorded_at bigint not null
    version integer not null
    pinned boolean not null
    valid_from bigint
    valid_to bigint
    retired_at bigint
    last_confirmed_at bigint
table schema_version
    number integer not null
    applied_at bigint not null
table session
    owner text not null
    id text not null
    namespace text not null
    label bytea not null
    sealed bytea not null
    started_at bigint not null
    position bigint not null
    next_doc bigint not null
    end_doc bigint not null
table step
    owner text not null
    id text not null
    directive text not null
    status text not null
    order_index integer not null
    generation integer not null
    sealed bytea not null
    version integer not null
    attempts integer not null
    run text
    lease_until bigint
    lease_holder text
    depends_on text not null
table tag
    owner text not null
    id text not null
    namespace text not null
    label bytea not null
    sealed bytea not null
    created_at bigint not null
table tag_label
    owner text not null
    namespace text not null
    label bytea not null
    tag text not null
    rank integer not null
table tag_link
    owner text not null
    noun text not null
    id text not null
    tag text not null
    rank integer not null
table token
    owner text not null
    id text not null
    hash bytea not null
    scope text not null
    created_at bigint not null
    expires_at bigint
    revoked_at bigint
    namespaces text not null
    sealed bytea not null
table tombstone
    owner text not null
    namespace text not null
    fingerprint bytea not null
    reason text not null
    at bigint not null
    target text
table trace
    owner text not null
    id text not null
    kind text not null
    at bigint not null
    sealed bytea not null
    target text
table usage
    owner text not null
    day text not null
    what text not null
    calls bigint not null
    tokens bigint not null
table vector
    owner text not null
    namespace text not null
    model text not null
    doc bigint not null
    part integer not null
    data halfvec not null
    indexed boolean not null default false
table vector_set
    owner text not null
    namespace text not null
    model text not null
    documents bigint not null
table version
    owner text not null
    noun text not null
    id text not null
    version integer not null
    recorded_at bigint not null
    superseded_at bigint
    actor text not null
    action text not null
    sealed bytea not null
    doc bigint
table word
    owner text not null
    namespace text not null
    term bigint not null
    first bigint not null
    data bytea not null
table keyring
    owner text not null
    record bytea not null
table ledger
    number bigint not null
    owner text not null
    at bigint not null
    act text not null
    target text not null
    namespace text
    fingerprints text not null
    reason text
CREATE INDEX attribute_memory ON ONLY commonplace.attribute USING btree (owner, memory)
CREATE INDEX directive_namespace ON ONLY commonplace.directive USING btree (owner, namespace)
CREATE INDEX entity_label_entity ON ONLY commonplace.entity_label USING btree (owner, entity)
CREATE INDEX entity_namespace ON ONLY commonplace.entity USING btree (owner, namespace)
CREATE INDEX evidence_episode ON ONLY commonplace.evidence USING btree (owner, episode)
CREATE INDEX job_open ON ONLY commonplace.job USING btree (due_at) WHERE (state = ANY (ARRAY['waiting'::text, 'leased'::text]))
CREATE INDEX job_state ON ONLY commonplace.job USING btree (owner, state, due_at)
CREATE INDEX ledger_owner ON commonplace_keys.ledger USING btree (owner, number)
CREATE INDEX memory_decision ON ONLY commonplace.memory USING btree (owner, namespace, status, kind) WHERE (category = 'decision'::text)
CREATE INDEX memory_directive ON ONLY commonplace.memory USING btree (owner, directive) WHERE (directive IS NOT NULL)
CREATE INDEX memory_expires ON ONLY commonplace.memory USING btree (owner, expires_at) WHERE (expires_at IS NOT NULL)
CREATE INDEX memory_fingerprint ON ONLY commonplace.memory USING btree (owner, namespace, fingerprint, status)
CREATE INDEX memory_important ON ONLY commonplace.memory USING btree (owner, namespace, kind, importance DESC, id)
CREATE INDEX memory_key ON ONLY commonplace.memory USING btree (owner, namespace, key, status) WHERE (key IS NOT NULL)
CREATE INDEX memory_namespace ON ONLY commonplace.memory USING btree (owner, namespace, status, kind)
CREATE INDEX memory_session ON ONLY commonplace.memory USING btree (owner, session) WHERE (session IS NOT NULL)
CREATE INDEX relation_fingerprint ON ONLY commonplace.relation USING btree (owner, namespace, fingerprint)
CREATE INDEX relation_object ON ONLY commonplace.relation USING btree (owner, object)
CREATE INDEX relation_subject ON ONLY commonplace.relation USING btree (owner, subject)
CREATE INDEX step_directive ON ONLY commonplace.step USING btree (owner, directive, order_index)
CREATE INDEX tag_label_tag ON ONLY commonplace.tag_label USING btree (owner, tag)
CREATE INDEX tag_link_tag ON ONLY commonplace.tag_link USING btree (owner, tag)
CREATE INDEX trace_kind ON ONLY commonplace.trace USING btree (owner, kind, id)
CREATE INDEX trace_target ON ONLY commonplace.trace USING btree (owner, target, id) WHERE (target IS NOT NULL)
CREATE INDEX vector_waiting ON ONLY commonplace.vector USING btree (owner, namespace, model) WHERE (NOT indexed)
CREATE INDEX version_doc ON ONLY commonplace.version USING btree (owner, doc) WHERE (doc IS NOT NULL)
CREATE UNIQUE INDEX attribute_pkey ON ONLY commonplace.attribute USING btree (owner, hash, memory)
CREATE UNIQUE INDEX audit_pkey ON ONLY commonplace.audit USING btree (owner, sequence)
CREATE UNIQUE INDEX change_pkey ON ONLY commonplace.change USING btree (owner, sequence)
CREATE UNIQUE INDEX directive_pkey ON ONLY commonplace.directive USING btree (owner, id)
CREATE UNIQUE INDEX entity_label_pkey ON ONLY commonplace.entity_label USING btree (owner, namespace, label, entity)
CREATE UNIQUE INDEX entity_pkey ON ONLY commonplace.entity USING btree (owner, id)
CREATE UNIQUE INDEX evidence_pkey ON ONLY commonplace.evidence USING btree (owner, noun, id, episode)
CREATE UNIQUE INDEX fresh_pkey ON ONLY commonplace.fresh USING btree (owner, namespace, term, doc)
CREATE UNIQUE INDEX job_pkey ON ONLY commonplace.job USING btree (owner, id)
CREATE UNIQUE INDEX job_wish ON ONLY commonplace.job USING btree (owner, wish) WHERE ((wish IS NOT NULL) AND (state = ANY (ARRAY['waiting'::text, 'leased'::text])))
CREATE UNIQUE INDEX keyring_pkey ON commonplace_keys.keyring USING btree (owner)
CREATE UNIQUE INDEX lease_pkey ON commonplace.lease USING btree (name)
CREATE UNIQUE INDEX ledger_pkey ON commonplace_keys.ledger USING btree (number)
CREATE UNIQUE INDEX memory_doc ON ONLY commonplace.memory USING btree (owner, doc)
CREATE UNIQUE INDEX memory_pkey ON ONLY commonplace.memory USING btree (owner, id)
CREATE UNIQUE INDEX namespace_owner_label_key ON ONLY commonplace.namespace USING btree (owner, label)
CREATE UNIQUE INDEX namespace_pkey ON ONLY commonplace.namespace USING btree (owner, id)
CREATE UNIQUE INDEX owner_pkey ON ONLY commonplace.owner USING btree (owner)
CREATE UNIQUE INDEX passage_pkey ON ONLY commonplace.passage USING btree (owner, doc, model)
CREATE UNIQUE INDEX receipt_pkey ON ONLY commonplace.receipt USING btree (owner, ref)
CREATE UNIQUE INDEX relation_pkey ON ONLY commonplace.relation USING btree (owner, id)
CREATE UNIQUE INDEX schema_version_pkey ON commonplace.schema_version USING btree (number)
CREATE UNIQUE INDEX session_owner_namespace_label_key ON ONLY commonplace.session USING btree (owner, namespace, label)
CREATE UNIQUE INDEX session_pkey ON ONLY commonplace.session USING btree (owner, id)
CREATE UNIQUE INDEX step_pkey ON ONLY commonplace.step USING btree (owner, id)
CREATE UNIQUE INDEX tag_label_pkey ON ONLY commonplace.tag_label USING btree (owner, namespace, label)
CREATE UNIQUE INDEX tag_link_pkey ON ONLY commonplace.tag_link USING btree (owner, noun, id, tag)
CREATE UNIQUE INDEX tag_owner_namespace_label_key ON ONLY commonplace.tag USING btree (owner, namespace, label)
CREATE UNIQUE INDEX tag_pkey ON ONLY commonplace.tag USING btree (owner, id)
CREATE UNIQUE INDEX token_hash ON commonplace.token USING btree (hash)
CREATE UNIQUE INDEX token_pkey ON commonplace.token USING btree (owner, id)
CREATE UNIQUE INDEX tombstone_pkey ON ONLY commonplace.tombstone USING btree (owner, namespace, fingerprint)
CREATE UNIQUE INDEX trace_pkey ON ONLY commonplace.trace USING btree (owner, id)
CREATE UNIQUE INDEX usage_pkey ON ONLY commonplace.usage USING btree (owner, day, what)
CREATE UNIQUE INDEX vector_pkey ON ONLY commonplace.vector USING btree (owner, namespace, model, doc, part)
CREATE UNIQUE INDEX vector_set_pkey ON ONLY commonplace.vector_set USING btree (owner, namespace, model)
CREATE UNIQUE INDEX version_pkey ON ONLY commonplace.version USING btree (owner, noun, id, version)
CREATE UNIQUE INDEX word_pkey ON ONLY commonplace.word USING btree (owner, namespace, term, first)
policy definer on job for ALL using (current_setting('commonplace.definer'::text, true) = 'on'::text) check
policy definer on keyring for SELECT using (current_setting('commonplace.definer'::text, true) = 'on'::text) check
policy definer on lease for ALL using (current_setting('commonplace.definer'::text, true) = 'on'::text) check
policy definer on ledger for SELECT using (current_setting('commonplace.definer'::text, true) = 'on'::text) check
policy definer on owner for ALL using (current_setting('commonplace.definer'::text, true) = 'on'::text) check
policy definer on token for ALL using (current_setting('commonplace.definer'::text, true) = 'on'::text) check
policy owner_only on attribute for ALL using (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text)) check (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text))
policy owner_only on audit for ALL using (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text)) check (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text))
policy owner_only on change for ALL using (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text)) check (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text))
policy owner_only on directive for ALL using (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text)) check (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text))
policy owner_only on entity for ALL using (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text)) check (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text))
policy owner_only on entity_label for ALL using (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text)) check (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text))
policy owner_only on evidence for ALL using (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text)) check (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text))
policy owner_only on fresh for ALL using (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text)) check (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text))
policy owner_only on job for ALL using (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text)) check (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text))
policy owner_only on keyring for ALL using (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text)) check (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text))
policy owner_only on ledger for ALL using (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text)) check (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text))
policy owner_only on memory for ALL using (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text)) check (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text))
policy owner_only on namespace for ALL using (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text)) check (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text))
policy owner_only on owner for ALL using (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text)) check (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text))
policy owner_only on passage for ALL using (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text)) check (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text))
policy owner_only on receipt for ALL using (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text)) check (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text))
policy owner_only on relation for ALL using (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text)) check (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text))
policy owner_only on session for ALL using (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text)) check (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text))
policy owner_only on step for ALL using (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text)) check (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text))
policy owner_only on tag for ALL using (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text)) check (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text))
policy owner_only on tag_label for ALL using (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text)) check (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text))
policy owner_only on tag_link for ALL using (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text)) check (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text))
policy owner_only on token for ALL using (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text)) check (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text))
policy owner_only on tombstone for ALL using (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text)) check (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text))
policy owner_only on trace for ALL using (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text)) check (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text))
policy owner_only on usage for ALL using (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text)) check (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text))
policy owner_only on vector for ALL using (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text)) check (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text))
policy owner_only on vector_set for ALL using (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text)) check (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text))
policy owner_only on version for ALL using (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text)) check (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text))
policy owner_only on word for ALL using (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text)) check (owner = NULLIF(current_setting('commonplace.owner'::text, true), ''::text))
grant DELETE, INSERT, SELECT, UPDATE on attribute to commonplace_app
grant DELETE, INSERT, SELECT, UPDATE on change to commonplace_app
grant DELETE, INSERT, SELECT, UPDATE on directive to commonplace_app
grant DELETE, INSERT, SELECT, UPDATE on entity to commonplace_app
grant DELETE, INSERT, SELECT, UPDATE on entity_label to commonplace_app
grant DELETE, INSERT, SELECT, UPDATE on evidence to commonplace_app
grant DELETE, INSERT, SELECT, UPDATE on fresh to commonplace_app
grant DELETE, INSERT, SELECT, UPDATE on job to commonplace_app
grant DELETE, INSERT, SELECT, UPDATE on keyring to commonplace_app
grant DELETE, INSERT, SELECT, UPDATE on memory to commonplace_app
grant DELETE, INSERT, SELECT, UPDATE on namespace to commonplace_app
grant DELETE, INSERT, SELECT, UPDATE on owner to commonplace_app
grant DELETE, INSERT, SELECT, UPDATE on passage to commonplace_app
grant DELETE, INSERT, SELECT, UPDATE on receipt to commonplace_app
grant DELETE, INSERT, SELECT, UPDATE on relation to commonplace_app
grant DELETE, INSERT, SELECT, UPDATE on session to commonplace_app
grant DELETE, INSERT, SELECT, UPDATE on step to commonplace_app
grant DELETE, INSERT, SELECT, UPDATE on tag to commonplace_app
grant DELETE, INSERT, SELECT, UPDATE on tag_label to commonplace_app
grant DELETE, INSERT, SELECT, UPDATE on tag_link to commonplace_app
grant DELETE, INSERT, SELECT, UPDATE on token to commonplace_app
grant DELETE, INSERT, SELECT, UPDATE on tombstone to commonplace_app
grant DELETE, INSERT, SELECT, UPDATE on trace to commonplace_app
grant DELETE, INSERT, SELECT, UPDATE on usage to commonplace_app
grant DELETE, INSERT, SELECT, UPDATE on vector to commonplace_app
grant DELETE, INSERT, SELECT, UPDATE on vector_set to commonplace_app
grant DELETE, INSERT, SELECT, UPDATE on version to commonplace_app
grant DELETE, INSERT, SELECT, UPDATE on word to commonplace_app
grant INSERT, SELECT on audit to commonplace_app
grant INSERT, SELECT on ledger to commonplace_app
grant SELECT on schema_version to commonplace_app
