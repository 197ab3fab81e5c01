"""Revisions of the register's schema, run by alembic from ``register.store``; released revisions are never edited.

May import: nothing.
"""
