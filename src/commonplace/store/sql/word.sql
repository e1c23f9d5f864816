-- name: fetch
select term, first, data, null, null from word
where owner = :owner and namespace = :namespace and term in (:terms*)
union all
select term, doc, null, tf, length from fresh
where owner = :owner and namespace = :namespace and term in (:terms*);

-- name: add
insert into fresh (owner, namespace, term, doc, tf, length) values (:owner, :namespace, :term, :doc, :tf, :length)
on conflict (owner, namespace, term, doc) do update set tf = excluded.tf, length = excluded.length;

-- name: fresh_remove
delete from fresh where owner = :owner and namespace = :namespace and term in (:terms*) and doc in (:docs*);

-- name: fresh_remove_anywhere
delete from fresh where owner = :owner and namespace = :namespace and doc in (:docs*);

-- name: fresh_take
select term, doc, tf, length from fresh where owner = :owner and namespace = :namespace
order by term, doc limit :limit;

-- name: fresh_drop
delete from fresh
where owner = :owner and namespace = :namespace
    and (term, doc) >= (:first_term, :first_doc) and (term, doc) <= (:last_term, :last_doc);

-- name: fresh_count
select count(*) from fresh where owner = :owner and namespace = :namespace;

-- name: firsts
select term, first from word where owner = :owner and namespace = :namespace and term in (:terms*) order by term, first;

-- name: tails
with asked(term) as ({each term})
select asked.term, last.first, last.data from asked cross join word as last
where last.owner = :owner and last.namespace = :namespace and last.term = asked.term
    and last.first = (
        select max(first) from word where owner = :owner and namespace = :namespace and term = asked.term
    );

-- name: term_blocks
select first, data from word where owner = :owner and namespace = :namespace and term = :term order by first;

-- name: blocks_some
select term, first, data from word
where owner = :owner and namespace = :namespace and term in (:terms*) and first in (:firsts*) order by term, first;

-- name: blocks_first
select term, first, data from word where owner = :owner and namespace = :namespace order by term, first limit :limit;

-- name: blocks_next
select term, first, data from word where owner = :owner and namespace = :namespace
    and (term, first) > (:term, :first)
order by term, first limit :limit;

-- name: block_put
insert into word (owner, namespace, term, first, data) values (:owner, :namespace, :term, :first, :data)
on conflict (owner, namespace, term, first) do update set data = excluded.data;

-- name: block_delete
delete from word where owner = :owner and namespace = :namespace and term = :term and first = :first;

-- name: clear_blocks
delete from word where owner = :owner and namespace = :namespace;

-- name: clear_fresh
delete from fresh where owner = :owner and namespace = :namespace;
