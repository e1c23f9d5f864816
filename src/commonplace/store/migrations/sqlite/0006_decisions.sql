-- A page asks for the most important decisions, of which a large book may have few or none.
create index memory_decision on memory (owner, namespace, status, kind) where category = 'decision';
insert into sqlite_stat1 (tbl, idx, stat) values ('memory', 'memory_decision', '20000 2000 1000 500 400');
