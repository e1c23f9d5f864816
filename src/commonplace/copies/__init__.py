"""Backup, restore, export, import and copying between engines."""
