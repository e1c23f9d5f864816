-- Beside the book: wrapped keys and the ledger of final acts, in a schema that a dump of the book leaves out.
-- Run whenever the schema is missing, also after a restore into a new database.

create schema if not exists {schema}_keys;

create table if not exists {schema}_keys.keyring (
    owner text collate "C" not null primary key,
    record bytea not null
);

create table if not exists {schema}_keys.ledger (
    number bigint generated always as identity primary key,
    owner text collate "C" not null,
    at bigint not null,
    act text not null,
    target text not null,
    namespace text,
    fingerprints text not null,
    reason text
);

create index if not exists ledger_owner on {schema}_keys.ledger (owner, number);

alter table {schema}_keys.keyring enable row level security;
alter table {schema}_keys.keyring force row level security;
alter table {schema}_keys.ledger enable row level security;
alter table {schema}_keys.ledger force row level security;

do $do$
declare
    one text;
    mine text := $$owner = nullif(current_setting('commonplace.owner', true), '')$$;
begin
    foreach one in array array['keyring', 'ledger'] loop
        execute format('drop policy if exists owner_only on {schema}_keys.%I', one);
        execute format('drop policy if exists definer on {schema}_keys.%I', one);
        execute format('create policy owner_only on {schema}_keys.%I using (%s) with check (%s)', one, mine, mine);
        execute format(
            'create policy definer on {schema}_keys.%I for select to current_user using (current_setting(%L, true) = %L)',
            one, 'commonplace.definer', 'on');
    end loop;
end
$do$;

create or replace function {schema}_keys.keyring_owners() returns setof text
language plpgsql volatile security definer
set search_path = {schema}_keys, pg_temp
as $$
begin
    perform set_config('commonplace.definer', 'on', true);
    return query select k.owner from keyring k order by k.owner;
    perform set_config('commonplace.definer', '', true);
end
$$;

create or replace function {schema}_keys.ledger_all() returns setof {schema}_keys.ledger
language plpgsql volatile security definer
set search_path = {schema}_keys, pg_temp
as $$
begin
    perform set_config('commonplace.definer', 'on', true);
    return query select l.* from ledger l order by l.number;
    perform set_config('commonplace.definer', '', true);
end
$$;

do $do$
begin
    revoke all on all functions in schema {schema}_keys from public;
    if exists (select from pg_roles where rolname = '{role}') then
        grant usage on schema {schema}_keys to {role};
        grant select, insert, update, delete on {schema}_keys.keyring to {role};
        grant select, insert on {schema}_keys.ledger to {role};
        grant execute on all functions in schema {schema}_keys to {role};
    end if;
end
$do$;
