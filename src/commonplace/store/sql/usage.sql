-- name: add
insert into usage (owner, day, what, calls, tokens) values (:owner, :day, :what, :calls, :tokens)
on conflict (owner, day, what) do update set
    calls = usage.calls + excluded.calls, tokens = usage.tokens + excluded.tokens;

-- name: of
select day, what, calls, tokens from usage where owner = :owner and day = :day order by what;

-- name: page
select day, what, calls, tokens from usage where owner = :owner and day >= :since order by day, what;
