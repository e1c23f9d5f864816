-- The token vectors of a text, passage by passage, sealed: for late interaction.
create table passage (
    owner text collate "C" not null,
    doc bigint not null,
    model text collate "C" not null,
    namespace text collate "C" not null,
    sealed bytea not null,
    primary key (owner, doc, model)
) partition by hash (owner);

-- As in 0001: partitions and row level security, and no grant on a partition.
do $do$
declare
    part text;
    mine text := $$owner = nullif(current_setting('commonplace.owner', true), '')$$;
begin
    for number in 0 .. {partitions} - 1 loop
        execute format('create table %I partition of passage for values with (modulus {partitions}, remainder %s)',
            'passage_' || number, number);
    end loop;
    for part in
        select 'passage' union all
        select inhrelid::regclass::text from pg_inherits where inhparent = 'passage'::regclass
    loop
        execute format('alter table %s enable row level security', part);
        execute format('alter table %s force row level security', part);
        execute format('create policy owner_only on %s using (%s) with check (%s)', part, mine, mine);
    end loop;
    if exists (select from pg_roles where rolname = '{role}') then
        grant select, insert, update, delete on passage to {role};
    end if;
end
$do$;
