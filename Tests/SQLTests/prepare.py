"""Migrates a PostgreSQL of its own and prepares there every statement that tests have recorded, with the types of the
values that were bound; then looks at how SQLite would run them. scripts/test-sql runs it."""

import argparse
import json
import re
import signal
import subprocess
import sys
from pathlib import Path

from cluster import Cluster, ClusterError
from plans import walks
from statements import PREPARABLE, SCHEMA, SHARED, Statement, recorded, source_of, tables_of

MARK = "@@@"
PLANS = "Tests/SQLTests/plans.py"


def migrate(cluster: Cluster, migrations: list[str]) -> None:
    done = cluster.psql(";\n".join(migrations) + ";\n", "--single-transaction", "-v", "ON_ERROR_STOP=1")
    if done.returncode != 0:
        raise ClusterError(f"PostgreSQL refuses the migrations:\n{done.stderr}")


def sort_out(found: set[Statement], migrations: list[str]) -> tuple[list[Statement], list[tuple[Statement, str]]]:
    """The statements to prepare, and the errors found before that."""
    made = tables_of([statement.sql for statement in found]) - tables_of(migrations)
    wanted, wrong = [], []
    for statement in sorted(found, key=lambda each: (each.sql, each.types)):
        # The migrations have just run. Statements of earlier ones name columns that no longer exist.
        if statement.sql in migrations or statement.verb in SHARED or statement.uses(made):
            continue
        if statement.verb in PREPARABLE:
            wanted.append(statement)
        elif statement.verb not in SCHEMA:
            wrong.append((statement, "PostgreSQL prepares no such statement; see Dialect and SQL.onlySQLite"))
        elif re.match("Sources/", source_of(statement.sql)):
            wrong.append((statement, "what changes the schema belongs into a migration"))
    return wanted, wrong


def prepare(cluster: Cluster, statements: list[Statement]) -> list[tuple[Statement, str]]:
    """The statements that PostgreSQL refuses, with its messages."""
    script = []
    for number, statement in enumerate(statements):
        types = f" ({', '.join(statement.types)})" if statement.types else ""
        # Printed among the messages, so that each message follows its statement's number.
        script += [f"\\warn {MARK}{number}", f"PREPARE s{number}{types} AS {statement.sql.rstrip('; ')};"]
    done = cluster.psql("\n".join([*script, f"\\warn {MARK}{len(statements)}", ""]))
    refused = []
    parts = done.stderr.split(MARK)[1:]
    if len(parts) != len(statements) + 1:
        raise ClusterError(f"psql ended early:\n{parts[-1] if parts else done.stderr}")
    for part in parts:
        number, _, message = part.partition("\n")
        if message.strip():
            refused.append((statements[int(number)], message.strip()))
    return refused


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--binaries", type=Path, required=True)
    parser.add_argument("--probe", required=True)
    arguments = parser.parse_args()

    migrations = schema(arguments.probe, "postgreSQL")
    wanted, failures = sort_out(recorded(arguments.folder), migrations)
    if not wanted:
        print(f"test-sql: no statements were recorded in {arguments.folder}", file=sys.stderr)
        return 1
    try:
        with Cluster(arguments.binaries) as cluster:
            version = cluster.version
            migrate(cluster, migrations)
            failures += prepare(cluster, wanted)
    except ClusterError as error:
        print(f"test-sql: {error}", file=sys.stderr)
        return 1

    for statement, message in failures:
        print(f"\n{source_of(statement.sql)} with ({', '.join(statement.types)}):", file=sys.stderr)
        print(f"{statement.sql}\n{message}", file=sys.stderr)
    refused = {statement.sql for statement, _ in failures}
    total = len({statement.sql for statement in wanted} | refused)
    if refused:
        print(f"\ntest-sql: {len(refused)} of {total} statements are not PostgreSQL's ({version}).", file=sys.stderr)
        return 1
    print(f"test-sql: {total} statements prepare on PostgreSQL {version}, with {len(wanted)} lists of types.")

    walking = [
        (statement, message) for statement, message in walks(wanted, schema(arguments.probe, "sqlite"))
        if source_of(statement.sql).startswith("Sources/")]
    for statement, message in walking:
        print(f"\n{source_of(statement.sql)}:\n{statement.sql}\n{message}", file=sys.stderr)
    if walking:
        print(f"\ntest-sql: {len(walking)} statements read more than they need; see {PLANS}.", file=sys.stderr)
        return 1
    return 0


def schema(probe: str, dialect: str) -> list[str]:
    """The statements that make the database."""
    return json.loads(subprocess.check_output([probe, "migrations", dialect]))


if __name__ == "__main__":
    # The exit leaves the `with` blocks, so that the cluster is removed.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.exit(main())
