-- name: add
insert into change (owner, sequence, at, noun, id, operation, doc, namespace)
values (:owner, :sequence, :at, :noun, :id, :operation, :doc, :namespace);

-- name: since
select sequence, at, noun, id, operation, doc, namespace from change
where owner = :owner and sequence > :sequence order by sequence limit :limit;

-- name: trim
delete from change where owner = :owner and at < :before;
