-- outside a transaction
-- A page asks for the most important decisions, of which a large book may have few or none.
create index if not exists memory_decision on only memory (owner, namespace, status, kind) where category = 'decision';
create index concurrently if not exists memory_{partition}_decision on memory_{partition}
    (owner, namespace, status, kind) where category = 'decision';
alter index memory_decision attach partition memory_{partition}_decision;
