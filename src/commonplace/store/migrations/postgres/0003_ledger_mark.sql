alter table owner add column ledger text;
