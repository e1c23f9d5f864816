-- name: insert
insert into memory (owner, {memory columns}) values (:owner, {memory values}) on conflict (owner, id) do nothing;

-- name: add
insert into memory (owner, {memory columns}) values (:owner, {memory values});

-- name: replace
update memory set {memory changes}
where owner = :owner and id = :id and version = :expected;

-- name: version
select version from memory where owner = :owner and id = :id;

-- name: select
select {memory columns} from memory where owner = :owner

-- name: by_value
select fingerprint, reason, null as id from tombstone
where owner = :owner and namespace = :namespace and fingerprint in (:fingerprints*)
union all
select fingerprint, null, id from memory
where owner = :owner and namespace = :namespace and fingerprint in (:fingerprints*) and status in (:statuses*)
order by id;

-- name: tied
select
    {memory columns},
    (select string_agg(l.tag, ' ' order by l.rank, l.tag) from tag_link l
     where l.owner = :owner and l.noun = 'memory' and l.id = memory.id),
    (select string_agg(e.episode, ' ') from evidence e
     where e.owner = :owner and e.noun = 'memory' and e.id = memory.id)
from memory where owner = :owner and doc in (:docs*);

-- name: touch
update memory set uses = uses + 1, last_used_at = :at where owner = :owner and id in (:ids*);

-- name: attributes_clear
delete from attribute where owner = :owner and memory = :memory;

-- name: attributes_add
insert into attribute (owner, hash, memory) values (:owner, :hash, :memory) on conflict do nothing;

-- name: delete_evidence
delete from evidence where owner = :owner and episode in (:ids*);

-- name: delete_attributes
delete from attribute where owner = :owner and memory in (:ids*);

-- name: delete
delete from memory where owner = :owner and id in (:ids*);

-- name: counts
select namespace, kind, category, status, count(*), min(recorded_at), max(recorded_at), max(id) from (
    select namespace, kind, category, status, recorded_at, id from memory
    where owner = :owner and id > :after order by id limit :limit
) as counted group by namespace, kind, category, status;

-- name: doubles
select fingerprint from memory
where owner = :owner and namespace = :namespace and status in (:statuses*) and kind <> 'episodic'
    and fingerprint > :after
group by fingerprint having count(*) > 1 order by fingerprint limit :limit;
