"""Long-running goals that agents plan, execute and re-plan; each cycle knows what earlier ones learned."""
