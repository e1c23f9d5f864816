-- name: put
insert into tombstone (owner, namespace, fingerprint, reason, at, target)
values (:owner, :namespace, :fingerprint, :reason, :at, :target)
on conflict (owner, namespace, fingerprint) do update set
    reason = excluded.reason, at = excluded.at, target = excluded.target;

-- name: select
select namespace, fingerprint, reason, at, target from tombstone where owner = :owner

-- name: lift
delete from tombstone
where owner = :owner and namespace = :namespace and fingerprint in (:fingerprints*);
