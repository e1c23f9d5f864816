-- name: append
insert into audit (owner, sequence, at, actor, action, noun, target, before, after, hash, reason, reason_digest)
values (
    :owner, :sequence, :at, :actor, :action, :noun, :target, :before, :after, :hash, :reason, :reason_digest
);

-- name: last
select sequence, at, actor, action, noun, target, before, after, hash, reason, reason_digest from audit
where owner = :owner order by sequence desc limit 1;

-- name: page
select sequence, at, actor, action, noun, target, before, after, hash, reason, reason_digest from audit
where owner = :owner and sequence > :after order by sequence limit :limit;

-- name: drop_reasons
update audit set reason = null where owner = :owner and target in (:ids*) and reason is not null;

-- name: reseal
update audit set reason = :reason where owner = :owner and sequence = :sequence;
