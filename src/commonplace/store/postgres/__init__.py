"""Many people and many machines: PostgreSQL 15 or newer with pgvector, through psycopg 3 and its pool."""
