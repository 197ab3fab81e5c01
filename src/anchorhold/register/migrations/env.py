"""What alembic runs to reach the database: the connection that the store hands over, inside its transaction.

Alembic's contract is that this file acts when it is loaded; nothing else loads it. May import: alembic.
"""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
