-- name: put
insert into evidence (owner, {evidence columns}) values (:owner, {evidence values})
on conflict (owner, noun, id, episode) do update set sealed = coalesce(excluded.sealed, evidence.sealed);

-- name: of
select {evidence columns} from evidence
where owner = :owner and noun = :noun and id in (:ids*) order by noun, id, episode;

-- name: resting_on
select {evidence columns} from evidence
where owner = :owner and episode in (:episodes*) order by noun, id, episode;

-- name: move
insert into evidence (owner, {evidence columns})
select owner, noun, :target, episode, sealed from evidence where owner = :owner and noun = :noun and id = :source
on conflict (owner, noun, id, episode) do update set sealed = coalesce(evidence.sealed, excluded.sealed);

-- name: delete
delete from evidence where owner = :owner and noun = :noun and id in (:ids*);

-- name: delete_some
delete from evidence where owner = :owner and noun = :noun and id in (:ids*) and episode in (:episodes*);
