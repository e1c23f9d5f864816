-- name: add
insert into usage (owner, {usage columns}) values (:owner, {usage values})
on conflict (owner, day, what) do update set
    calls = usage.calls + excluded.calls, tokens = usage.tokens + excluded.tokens;

-- name: of
select {usage columns} from usage where owner = :owner and day = :day order by what;

-- name: page
select {usage columns} from usage where owner = :owner and day >= :since order by day, what;
