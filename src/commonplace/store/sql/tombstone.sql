-- name: put
insert into tombstone (owner, {tombstone columns})
values (:owner, {tombstone values})
on conflict (owner, namespace, fingerprint) do update set {tombstone excluded}
where tombstone.reason <> 'forgotten' or excluded.reason = 'forgotten';

-- name: select
select {tombstone columns} from tombstone where owner = :owner

-- name: lift
delete from tombstone
where owner = :owner and namespace = :namespace and fingerprint in (:fingerprints*);
