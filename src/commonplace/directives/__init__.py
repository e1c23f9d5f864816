"""Goals that outlive a session, planned, carried out, planned again; each cycle knows what the earlier ones learned."""
