"""Long work in small transactions that counts as one act and is undone as one."""
