-- name: put
insert into namespace (owner, id, label, sealed, created_at, documents, length)
values (:owner, :id, :label, :sealed, :created_at, :documents, :length)
on conflict (owner, id) do update set label = excluded.label, sealed = excluded.sealed;

-- name: get
select id, label, sealed, created_at, documents, length from namespace where owner = :owner and id = :id;

-- name: by_label
select id, label, sealed, created_at, documents, length from namespace where owner = :owner and label = :label;

-- name: few
select id, label, sealed, created_at, documents, length from namespace where owner = :owner order by id limit 17;

-- name: all
select id, label, sealed, created_at, documents, length from namespace where owner = :owner order by id;

-- name: count
update namespace set documents = documents + :documents, length = length + :length where owner = :owner and id = :id;
