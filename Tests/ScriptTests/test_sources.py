"""Tests of what scripts/check-sources refuses."""

import unittest

from loading import script

SOURCES = script("check-sources")


class EngineTests(unittest.TestCase):
    def test_imports_and_types_of_sqlite_are_found(self) -> None:
        for line in (
            "import GRDB", "import CSQLite", "@preconcurrency import GRDB", "private import CSQLite",
            "import struct GRDB.Configuration", "    let engine = try SQLiteEngine(path: path)",
            "guard let connection = connection as? SQLiteConnection else { return }",
        ):
            self.assertEqual(list(SOURCES.engine_findings(["import Model", line])), [2], line)

    def test_comments_and_other_names_are_not(self) -> None:
        for line in (
            "/// ``SQLiteEngine`` is the one that programs use.", "let rows = 1 // as SQLiteConnection does",
            "import CSQLiteTools", "SQL.onlySQLite(sql)", "sqlite(version: Database.libraryVersion)",
        ):
            self.assertEqual(list(SOURCES.engine_findings([line])), [], line)


class SumTests(unittest.TestCase):
    def test_a_sum_without_a_cast_is_found(self) -> None:
        for line in (
            "SELECT key_id, SUM(kept) AS secrets FROM sealed", "COALESCE(SUM(weight), 0) AS weight",
            "SELECT CAST(SUM(a) AS BIGINT) AS a, SUM(b) AS b FROM t", "FORECAST(SUM(n))",
        ):
            self.assertEqual(list(SOURCES.sum_findings(["let sql =", line])), [2], line)

    def test_a_cast_one_is_not(self) -> None:
        for line in (
            "SELECT CAST(SUM(plays) AS BIGINT) AS total", "CAST(COALESCE(SUM(LENGTH(title)), 0) AS BIGINT)",
            "// SUM(n) is numeric", "CHECKSUM(n)", "let total = sum(of: rows)",
        ):
            self.assertEqual(list(SOURCES.sum_findings([line])), [], line)


class NumberTests(unittest.TestCase):
    def test_a_text_that_becomes_a_number_without_bounds_is_found(self) -> None:
        for line in (
            "guard let count = Int(text) else { return }", "let count = Int(text) ?? 0",
            "guard words.count == 2, let key = Key(words[0]), let number = UInt64(words[1]) else {",
            "if isPlain(text), var length = Double(text.dropLast()), length > 0 {",
        ):
            self.assertEqual([number for number, _ in SOURCES.findings([line])], [1], line)

    def test_every_core_is_read(self) -> None:
        folders = [pattern for pattern in SOURCES.FOLDERS if pattern.startswith("Domains/")]
        sources = SOURCES.REPOSITORY / "Sources"
        read = {file for pattern in folders for file in sources.glob(f"{pattern}/**/*.swift")}
        left = [file for file in sources.glob("Domains/*/Core/**/*.swift") if file not in read]
        self.assertEqual(left, [])
        self.assertTrue(any("Library/Edits" in str(file) for file in read))

    def test_a_reason_permits_it(self) -> None:
        line = "let count = Int(text) ?? 0  // bounded: the text has two digits"
        self.assertEqual(list(SOURCES.findings([line])), [])


if __name__ == "__main__":
    unittest.main()
