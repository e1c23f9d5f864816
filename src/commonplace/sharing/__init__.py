"""Namespaces that several people share: who is a member, on which terms, and what that lets them do."""
