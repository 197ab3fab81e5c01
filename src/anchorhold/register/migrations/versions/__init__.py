"""One file per revision, ``vN_….py``.

May import: alembic, sqlalchemy.
"""
