"""What the programs that kill a book share: a server that may be killed, and the steps at which a process can die."""
