-- name: put
insert into tag (owner, {tag columns})
values (:owner, {tag values})
on conflict (owner, id) do update set {tag excluded};

-- name: taken
select tag from tag_label
where owner = :owner and namespace = :namespace and label in (:labels*) and tag <> :id order by tag limit 1;

-- name: labels_clear
delete from tag_label where owner = :owner and tag = :id;

-- name: labels_add
insert into tag_label (owner, namespace, label, tag, rank) values (:owner, :namespace, :label, :id, :rank)
on conflict do nothing;

-- name: select
select {tag columns} from tag where owner = :owner

-- name: synonyms
select tag, label from tag_label where owner = :owner and tag in (:ids*) and rank > 0 order by tag, rank;

-- name: by_label
select tag from tag_label where owner = :owner and namespace = :namespace and label = :label;

-- name: link_counts
select tag, count(*) from tag_link where owner = :owner and tag in (:ids*) group by tag;

-- name: links
select id, tag from tag_link where owner = :owner and noun = :noun and id in (:ids*) order by id, rank, tag;

-- name: links_clear
delete from tag_link where owner = :owner and noun = :noun and id in (:ids*);

-- name: links_add
insert into tag_link (owner, noun, id, tag, rank) values (:owner, :noun, :id, :tag, :rank) on conflict do nothing;

-- name: linked
select noun, id from tag_link where owner = :owner and tag = :tag order by noun, id;

-- name: delete
delete from tag where owner = :owner and id in (:ids*);
