create trigger audit_append_only
before update of owner, sequence, at, actor, action, noun, target, before, after, hash, reason_digest on audit
begin
    select raise(abort, 'a line of the audit is not changed');
end;
