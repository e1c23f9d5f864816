-- name: add
insert into change (owner, {change columns})
values (:owner, {change values});

-- name: since
select {change columns} from change
where owner = :owner and sequence > :sequence order by sequence limit :limit;

-- name: trim
delete from change where owner = :owner and at < :before;
