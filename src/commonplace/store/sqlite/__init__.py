"""One file on one machine, through apsw."""
