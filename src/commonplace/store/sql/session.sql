-- name: put
insert into session (owner, id, namespace, label, sealed, started_at, position, next_doc, end_doc)
values (:owner, :id, :namespace, :label, :sealed, :started_at, :position, :next_doc, :end_doc)
on conflict (owner, id) do update set
    namespace = excluded.namespace, label = excluded.label, sealed = excluded.sealed, started_at = excluded.started_at,
    position = excluded.position, next_doc = excluded.next_doc, end_doc = excluded.end_doc;

-- name: select
select id, namespace, label, sealed, started_at, position, next_doc, end_doc from session where owner = :owner

-- name: delete
delete from session where owner = :owner and id in (:ids*);
