-- name: put
insert into namespace (owner, {namespace columns})
values (:owner, {namespace values})
on conflict (owner, id) do update set label = excluded.label, sealed = excluded.sealed;

-- name: get
select {namespace columns} from namespace where owner = :owner and id = :id;

-- name: by_label
select {namespace columns} from namespace where owner = :owner and label = :label;

-- name: few
select {namespace columns} from namespace where owner = :owner order by id limit 17;

-- name: all
select {namespace columns} from namespace where owner = :owner order by id;

-- name: count
update namespace set documents = documents + :documents, length = length + :length where owner = :owner and id = :id;
