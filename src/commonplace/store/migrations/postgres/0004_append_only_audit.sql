-- The application role adds lines to the audit and changes none. What forgetting, a new key and an erasure must do to it
-- goes through these functions, which do only that, and only for the owner of the transaction.
create function audit_drop_reasons(targets text[]) returns void
language sql volatile security definer
set search_path = {schema}, pg_temp
as $$
    update audit set reason = null
    where owner = nullif(current_setting('commonplace.owner', true), '') and target = any(targets) and reason is not null
$$;

-- What a reason says is proved by its digest, which nobody changes: another sealing of other words is found out.
create function audit_reseal(line bigint, sealed bytea) returns void
language sql volatile security definer
set search_path = {schema}, pg_temp
as $$
    update audit set reason = sealed
    where owner = nullif(current_setting('commonplace.owner', true), '') and sequence = line and reason is not null
$$;

create function audit_drop() returns void
language plpgsql volatile security definer
set search_path = {schema}, pg_temp
as $$
declare
    mine text := nullif(current_setting('commonplace.owner', true), '');
begin
    if exists (select from namespace where owner = mine) or exists (select from memory where owner = mine) then
        raise insufficient_privilege using message = 'the audit of an owner goes only after everything else';
    end if;
    delete from audit where owner = mine;
end
$$;

do $do$
begin
    revoke all on function audit_drop_reasons(text[]), audit_reseal(bigint, bytea), audit_drop() from public;
    if exists (select from pg_roles where rolname = '{role}') then
        revoke update, delete on audit from {role};
        grant execute on function audit_drop_reasons(text[]), audit_reseal(bigint, bytea), audit_drop() to {role};
    end if;
end
$do$;
