-- name: append
insert into audit (owner, {audit columns})
values (:owner, {audit values});

-- name: last
select {audit columns} from audit
where owner = :owner order by sequence desc limit 1;

-- name: page
select {audit columns} from audit
where owner = :owner and sequence > :after order by sequence limit :limit;

-- name: page_back
select {audit columns} from audit
where owner = :owner and sequence < :before order by sequence desc limit :limit;

-- name: drop_reasons
{drop reasons};

-- name: reseal
{reseal reason};

-- name: drop
{drop audit};
