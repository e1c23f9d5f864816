-- name: put
insert into passage (owner, {passage columns}) values (:owner, {passage values})
on conflict (owner, doc, model) do update set {passage excluded};

-- name: get
select {passage columns} from passage where owner = :owner and model = :model and doc in (:docs*) order by doc;

-- name: missing
select m.doc from memory m
where m.owner = :owner and m.namespace = :namespace and m.doc > :after and not exists (
    select 1 from passage p where p.owner = :owner and p.doc = m.doc and p.model = :model
)
order by m.doc limit :limit;

-- name: docs
select distinct doc from passage where owner = :owner and doc > :after order by doc limit :limit;

-- name: delete
delete from passage where owner = :owner and doc in (:docs*);

-- name: drop_others
delete from passage where owner = :owner and model <> :model;
