-- The token vectors of a text, passage by passage, sealed: for late interaction.
create table passage (
    owner text not null,
    doc integer not null,
    model text not null,
    namespace text not null,
    sealed blob not null,
    primary key (owner, doc, model)
) strict;
insert into sqlite_stat1 (tbl, idx, stat) values ('passage', 'sqlite_autoindex_passage_1', '1000000 100000 1 1');
