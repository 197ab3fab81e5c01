"""A register in a PostgreSQL schema: what only a server can do, and one clear line for whatever goes wrong there."""

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import psycopg
import pytest

from anchorhold.domain.entries import Entry
from anchorhold.errors import AnchorholdError, BadInput, BadState, RegisterBroken
from anchorhold.register import postgres
from anchorhold.register.store import Register
from postgres import LOCKED_USER, PASSWORD, Cluster
from register.places import PostgresPlace
from register.test_store import insert

BODY = "BEGIN RETURN NULL; END"


def refuses(place: PostgresPlace, found: str) -> None:
    with Register.open(place.url) as register:
        for action in (register.verify, lambda: register.append("note", {"text": "three"}, author="somebody")):
            with pytest.raises(RegisterBroken, match=found):
                action()


@pytest.mark.parametrize(
    "statement",
    [
        "TRUNCATE entries",
        "INSERT INTO entries SELECT * FROM entries ON CONFLICT DO NOTHING",
        "MERGE INTO entries USING (SELECT 3 AS n) AS s ON seq = n WHEN MATCHED THEN DELETE",
        "SET session_replication_role = replica; DELETE FROM entries",
        "CREATE TABLE above (LIKE entries); ALTER TABLE entries INHERIT above; UPDATE above SET author = 'me'",
        "CREATE TABLE above (LIKE entries); ALTER TABLE entries INHERIT above; TRUNCATE above",
        "CREATE TEMP TABLE entries (seq bigint, hash text); " + insert("9", "hash", "repeat('a', 64)", like=3).replace(
            "entries", "{schema}.entries"
        ),
    ],
)  # fmt: skip
def test_no_form_of_sql_changes_an_entry(schema: PostgresPlace, statement: str) -> None:
    with Register.open(schema.url) as register:
        before = register.entries()
        name = schema.url.rpartition("%3D")[2]
        with pytest.raises(psycopg.errors.IntegrityError, match=r"append-only|an entry must carry"):
            schema.sql("BEGIN", statement.format(schema=name))
        assert register.entries() == before
        assert register.verify().problem is None


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("ALTER TABLE entries DISABLE TRIGGER entries_never_change", "entries_never_change is switched off"),
        ("ALTER TABLE entries ENABLE TRIGGER entries_follow", "entries_follow is switched off"),
        ("ALTER TABLE entries ENABLE REPLICA TRIGGER entries_never_go", "entries_never_go is switched off"),
        ("ALTER TABLE entries DISABLE TRIGGER USER", "entries_follow is switched off"),
        ("DROP TRIGGER entries_never_go_at_once ON entries", "entries_never_go_at_once is gone"),
        (
            f"CREATE OR REPLACE FUNCTION entries_never_go() RETURNS trigger LANGUAGE plpgsql AS '{BODY}'",
            "entries_never_go was replaced",
        ),
        ("ALTER FUNCTION entries_follow() SET search_path = nowhere", "entries_follow was replaced"),
        ("ALTER FUNCTION entries_follow() SECURITY DEFINER", "entries_follow was replaced"),
        (
            "CREATE OR REPLACE TRIGGER entries_never_change BEFORE UPDATE ON entries FOR EACH ROW WHEN (OLD.seq < 2) "
            "EXECUTE FUNCTION entries_never_change(); ALTER TABLE entries ENABLE ALWAYS TRIGGER entries_never_change",
            "entries_never_change was replaced",
        ),
        (
            "CREATE OR REPLACE TRIGGER entries_never_change BEFORE UPDATE OF author ON entries FOR EACH ROW "
            "EXECUTE FUNCTION entries_never_change(); ALTER TABLE entries ENABLE ALWAYS TRIGGER entries_never_change",
            "entries_never_change was replaced",
        ),
        (
            f"CREATE FUNCTION away() RETURNS trigger LANGUAGE plpgsql AS '{BODY}'; "
            "CREATE TRIGGER away BEFORE INSERT ON entries FOR EACH ROW EXECUTE FUNCTION away()",
            "there is a trigger away that does not belong there",
        ),
        ("CREATE RULE away AS ON INSERT TO entries DO INSTEAD NOTHING", "a rule rewrites"),
        ("ALTER TABLE entries ENABLE ROW LEVEL SECURITY", "row security hides rows"),
        ("CREATE TABLE below () INHERITS (entries)", "another table adds its rows"),
    ],
)
def test_a_guard_that_is_not_as_it_was_made_is_found(schema: PostgresPlace, statement: str, found: str) -> None:
    schema.sql(statement)
    refuses(schema, found)


def test_several_registers_lie_in_one_database_each_in_its_schema(cluster: Cluster) -> None:
    one, other = PostgresPlace(cluster), PostgresPlace(cluster)
    for place, project in ((one, "Sparrow"), (other, "Finch")):
        Register.create(place.url, author="somebody", project=project).close()
    both = one.url + "," + other.url.rpartition("%3D")[2]
    with Register.open(both) as first, Register.open(other.url) as second:
        first.append("note", {"id": "n", "text": "one"}, author="somebody")
        assert second.append("note", {"id": "n", "text": "other"}, author="somebody").seq == 2
        assert [entry.payload.get("project") for entry in (*first.entries()[:1], *second.entries()[:1])] == [
            "Sparrow",
            "Finch",
        ]
        assert first.location.endswith(f"-csearch_path%3D{both.rpartition('%3D')[2]}")


def test_a_user_who_may_only_add_adds_and_may_do_no_more(schema: PostgresPlace) -> None:
    name = schema.url.rpartition("%3D")[2]
    schema.sql(
        f"CREATE ROLE adder_{name} LOGIN",
        f"GRANT USAGE ON SCHEMA {name} TO adder_{name}",
        f"GRANT SELECT ON alembic_version, entries TO adder_{name}",
    )
    url = schema.cluster.url(user=f"adder_{name}", schema=name)
    with Register.open(url) as register:
        with pytest.raises(BadState, match="the database does not allow it: permission denied for table entries"):
            register.append("note", {"text": "three"}, author="somebody")
        schema.sql(f"GRANT INSERT ON entries TO adder_{name}")
        assert register.append("note", {"text": "three"}, author="somebody").seq == 4
        with psycopg.connect(url) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("DELETE FROM entries")


def test_a_commit_waits_for_the_disk_and_sees_what_was_committed_before(schema: PostgresPlace) -> None:
    schema.sql(
        "ALTER ROLE postgres SET synchronous_commit = off",
        "ALTER ROLE postgres SET default_transaction_isolation = serializable",
    )
    try:
        with Register.open(schema.url) as register:
            with register._transaction(write=True) as connection:
                assert connection.exec_driver_sql("SHOW synchronous_commit").scalar() == "on"
                assert connection.exec_driver_sql("SHOW transaction_isolation").scalar() == "read committed"
            with register._transaction() as connection:
                assert connection.exec_driver_sql("SHOW transaction_read_only").scalar() == "on"
    finally:
        schema.sql("ALTER ROLE postgres RESET ALL")


def test_a_second_id_is_looked_up_in_the_index(schema: PostgresPlace) -> None:
    with Register.open(schema.url) as register, register._transaction() as connection:
        connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
        query = register._database.has_id("dev-1").compile(
            dialect=connection.dialect, compile_kwargs={"literal_binds": True}
        )
        plan = connection.exec_driver_sql(
            f"EXPLAIN SELECT seq FROM entries WHERE {query}"  # noqa: S608 - the register's own words
        ).all()
    assert "entries_by_id" in str(plan)


@pytest.mark.parametrize(
    "parameters",
    ["user=locked&password=wrong%20horse", "user=nobody_here", "user=postgres&dbname=absent", "host=/nowhere"],
)
def test_a_server_that_does_not_let_us_in_is_one_line_with_no_password(cluster: Cluster, parameters: str) -> None:
    with psycopg.connect(cluster.url(), autocommit=True) as connection:
        connection.execute(f"DROP ROLE IF EXISTS {LOCKED_USER}")
        connection.execute(f"CREATE ROLE {LOCKED_USER} LOGIN PASSWORD '{PASSWORD}'")
    url = f"postgresql:///postgres?host={cluster.directory}&{parameters}"
    with pytest.raises(BadState, match=r"cannot reach the database: .*\. Check the address") as refusal:
        Register.open(url)
    assert "\n" not in str(refusal.value)
    assert "horse" not in str(refusal.value)


def test_the_right_password_opens_and_is_not_shown(cluster: Cluster) -> None:
    with psycopg.connect(cluster.url(), autocommit=True) as connection:
        connection.execute(f"DROP ROLE IF EXISTS {LOCKED_USER}")
        connection.execute(f"CREATE ROLE {LOCKED_USER} LOGIN PASSWORD '{PASSWORD}'")
    url = f"postgresql://{LOCKED_USER}:right%20horse@/postgres?host={cluster.directory}"
    with pytest.raises(BadInput, match=r"is not a register.*register create") as refusal:
        Register.open(url)
    assert "horse" not in str(refusal.value)
    assert str(refusal.value).startswith(f"postgresql://{LOCKED_USER}@/postgres?host={cluster.directory}: ")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("postgresql://me:secret@db.example:5433/progress", "postgresql://me@db.example:5433/progress"),
        ("postgres://me@[::1]/progress?password=secret", "postgresql://me@[::1]/progress"),
        ("postgresql://one:1,two:2/p?user=me", "postgresql://me@/p?host=one,two&port=1,2"),
        ("postgresql:///p?host=/run/pg&sslpassword=secret", "postgresql:///p?host=/run/pg"),
        (
            "postgresql://me%40home@h/a%20b?options=-csearch_path%3Dx",
            "postgresql://me%40home@h/a%20b?options=-csearch_path%3Dx",
        ),
        ("postgresql://", "postgresql:///"),
    ],
)
def test_a_location_tells_registers_apart_and_shows_no_password(url: str, expected: str) -> None:
    assert postgres.PostgresDatabase(url).location == expected


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("postgresql://me:secret@host/db?colour=red", "unknown parameter 'colour'"),
        ("postgresql://me:secret@host:x y/db?=", "not one that PostgreSQL's library can read"),
        ("postgresql://me:secret@[host/db", "not one that PostgreSQL's library can read"),
        ("postgresql://me:sec%ret@host/db", "not one that PostgreSQL's library can read"),
        ("postgresql://me:secret@host:port/db", "cannot reach the database"),
        ("mysql://me:secret@host/db", "cannot keep a register at a mysql:// address"),
    ],
)
def test_an_address_that_cannot_be_read_is_one_line_with_no_password(url: str, message: str) -> None:
    with pytest.raises(AnchorholdError, match=message) as refusal:
        Register.open(url)
    assert "\n" not in str(refusal.value)
    assert "sec" not in str(refusal.value)


def test_a_missing_driver_is_named_with_what_installs_it(tmp_path: Path) -> None:
    # A directory before the packages, in which psycopg cannot be loaded: as if it were not installed.
    (tmp_path / "psycopg.py").write_text("raise ModuleNotFoundError(\"No module named 'psycopg'\")")
    script = (
        "import sys; from anchorhold.cli.app import main; sys.argv[1:] = ['gate', '--register', 'postgresql://h/d'];"
    )
    done = subprocess.run(
        [sys.executable, "-c", script + "main()"],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path[1:]])},
    )
    assert done.returncode == 2
    assert re.fullmatch(r"anchorhold: .*psycopg.* pip install -c constraints.txt '\.\[postgres\]'\n", done.stderr)


def test_a_schema_that_is_not_there_is_named(cluster: Cluster) -> None:
    with pytest.raises(BadInput, match=r"names no schema that is there\. Make it first with: CREATE SCHEMA"):
        Register.create(cluster.url(schema="absent"), author="somebody")


def test_a_database_that_cannot_hold_every_letter_takes_no_register(cluster: Cluster) -> None:
    with psycopg.connect(cluster.url(), autocommit=True) as connection:
        connection.execute("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    with pytest.raises(BadInput, match="encoding is LATIN1, expected UTF8"):
        Register.create(cluster.url(database="latin"), author="somebody")


def test_a_writer_that_waits_too_long_says_so(schema: PostgresPlace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "LOCK_SECONDS", 0.2)
    with Register.open(schema.url) as holder, Register.open(schema.url) as other:
        with (
            holder._transaction(write=True),
            pytest.raises(BadState, match="another writer has held the register for more than"),
        ):
            other.append("note", {"text": "three"}, author="somebody")
        assert other.append("note", {"text": "three"}, author="somebody").seq == 4


def test_a_statement_without_end_is_cut_off(schema: PostgresPlace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "STATEMENT_SECONDS", 0.2)
    with Register.open(schema.url) as register:
        with (
            pytest.raises(BadState, match=r"did not answer within 0\.2 s"),
            register._transaction() as connection,
        ):
            connection.exec_driver_sql("SELECT pg_sleep(60)")
        assert register.verify().problem is None


def test_a_writer_with_sql_makes_the_register_wait(schema: PostgresPlace) -> None:
    with psycopg.connect(schema.url) as other:
        other.execute(insert("4", "hash", schema.random_hash, like=3).encode())
        script = (
            "import sys; from anchorhold.register.store import Register\n"
            "with Register.open(sys.argv[1]) as register:\n"
            "    print('ready', flush=True)\n"
            "    print(register.append('note', {'text': 'x'}, author='x').seq)"
        )
        with subprocess.Popen([sys.executable, "-c", script, schema.url], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            with psycopg.connect(schema.url, autocommit=True) as watcher:
                while not watcher.execute(
                    "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
                ).fetchone():
                    assert process.poll() is None
            other.rollback()  # nobody has entry 4 now
            assert process.stdout.read() == "4\n"
    with Register.open(schema.url) as register:
        assert register.verify().problem is None


def test_a_lost_connection_is_one_line_and_the_next_append_finds_the_server_again(schema: PostgresPlace) -> None:
    def cut(_: Sequence[Entry]) -> None:
        schema.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")

    with Register.open(schema.url) as register:
        with pytest.raises(BadState, match=r"the connection to the database was lost: .* whether the last entry"):
            register.append("note", {"text": "three"}, author="somebody", guard=cut)
        assert register.append("note", {"text": "three"}, author="somebody").seq == 4


def test_a_server_that_is_not_there_any_more_is_one_line(durable_cluster: Cluster) -> None:
    with Register.create(PostgresPlace(durable_cluster).url, author="somebody") as register:
        durable_cluster.stop()
        for action in (register.verify, lambda: register.append("note", {"text": "x"}, author="somebody")):
            with pytest.raises(BadState, match="cannot reach the database"):
                action()
        durable_cluster.start()
        assert register.append("note", {"text": "x"}, author="somebody").seq == 2


def test_a_row_whose_payload_is_no_json_is_refused_by_the_index_itself(schema: PostgresPlace) -> None:
    with pytest.raises(psycopg.errors.InvalidTextRepresentation):
        schema.without_guards("UPDATE entries SET payload = payload || '}' WHERE seq = 2")
