"""The tables of an owner, written once for both engines against ``statements.TableConnection``."""
