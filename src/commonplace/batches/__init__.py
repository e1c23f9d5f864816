"""Long work in small transactions that counts as one act and can be undone as one."""
