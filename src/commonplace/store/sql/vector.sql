-- name: add
insert into vector (owner, namespace, model, doc, part, data) values (:owner, :namespace, :model, :doc, :part, {vector in});

-- name: put
insert into vector (owner, namespace, model, doc, part, data) values (:owner, :namespace, :model, :doc, :part, {vector in})
on conflict (owner, namespace, model, doc, part) do update set data = excluded.data;

-- name: present
select distinct doc from vector where owner = :owner and namespace = :namespace and model = :model and doc in (:docs*);

-- name: page
select doc, part, {vector out} from vector
where owner = :owner and namespace = :namespace and model = :model
    and (doc, part) > (:doc, :part)
order by doc, part limit :limit;

-- name: some
select doc, part, {vector out} from vector
where owner = :owner and namespace = :namespace and model = :model and doc in (:docs*) order by doc, part;

-- name: missing
select m.doc from memory m
where m.owner = :owner and m.namespace = :namespace and not exists (
    select 1 from vector v
    where v.owner = :owner and v.namespace = :namespace and v.model = :model and v.doc = m.doc
)
order by m.doc limit :limit;

-- name: sets
select namespace, model, documents from vector_set where owner = :owner order by namespace, model;

-- name: set_count
insert into vector_set (owner, namespace, model, documents) values (:owner, :namespace, :model, :documents)
on conflict (owner, namespace, model) do update set documents = vector_set.documents + excluded.documents;

-- name: set_grow
insert into vector_set (owner, namespace, model, documents)
select :owner, :namespace, :model, :documents - count(distinct doc) from vector
where owner = :owner and namespace = :namespace and model = :model and doc in (:docs*)
on conflict (owner, namespace, model) do update set documents = vector_set.documents + excluded.documents;

-- name: set_trim
delete from vector_set where owner = :owner and documents <= 0;

-- name: delete
delete from vector where owner = :owner and namespace = :namespace and model = :model and doc in (:docs*);

-- name: drop_model
delete from vector where owner = :owner and namespace = :namespace and model = :model;

-- name: drop_set
delete from vector_set where owner = :owner and namespace = :namespace and model = :model;
