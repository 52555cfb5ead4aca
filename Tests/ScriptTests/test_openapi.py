"""Tests of scripts/openapi and scripts/lint-openapi with small parts."""

import shutil
import tempfile
import unittest
from pathlib import Path
from textwrap import dedent, indent

from loading import REPOSITORY, script

from openapi_support.reader import DocumentError, Reader

OPENAPI = script("openapi")
LINT = script("lint-openapi")
HEAD = "Sources/Gateway/openapi/head.yaml"
NOTES = "Sources/Domains/Notes/openapi.yaml"
PLACES = "Sources/Domains/Places/openapi/places.yaml"
PARTS = {
    HEAD: """
        openapi: 3.1.0
        info: {title: Test, version: 1.0.0}

        components:
          schemas:
            # Every domain adds to it.
            Code:
              type: string
              enum:
                - invalid
                # additions: codes

            Export:
              type: object
              required:
                # names of additions: members
              properties:
                # additions: members
    """,
    NOTES: """
        tags:
          - name: notes

        paths:
          /v1/notes:
            get:
              operationId: listNotes
              description: |
                All notes.
                # additions: notes
              responses:
                '200': {description: The notes.}

        additions:
          codes:
            - noNote
          members:
            notes: {type: array}
            words:
              type: array
    """,
    PLACES: """
        components:
          schemas:
            Place: {type: string}

        additions:
          codes:
            - noPlace
          notes: |
            A note may have a place.
    """,
}


class PartsTest(unittest.TestCase):
    """Each test has its own folder with the parts above, and changes some of them."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for name in ("Notes", "Places"):
            (self.root / "Sources/Domains" / name / "HTTP").mkdir(parents=True)
        # A module without routes needs no part.
        (self.root / "Sources/Domains/Shared").mkdir()
        for name, text in PARTS.items():
            self.write(name, text)

    def write(self, name: str, text: str) -> None:
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(dedent(text).lstrip("\n"), encoding="utf-8")

    def change(self, name: str, old: str, new: str) -> None:
        text = (self.root / name).read_text(encoding="utf-8")
        self.assertEqual(text.count(old), 1)
        (self.root / name).write_text(text.replace(old, new), encoding="utf-8")

    def refuses(self, *wanted: str) -> None:
        with self.assertRaises(DocumentError) as caught:
            OPENAPI.document(self.root)
        for part in wanted:
            self.assertIn(part, str(caught.exception))
        self.assertRegex(str(caught.exception), r"^[\w/.]+:\d+: .*\.$")


class JoiningTests(PartsTest):
    def test_parts_are_joined_with_additions_and_comments(self) -> None:
        text = OPENAPI.document(self.root)
        self.assertIn("# Every domain adds to it.\n    Code:\n", text)
        self.assertIn("        - invalid\n        - noNote\n        - noPlace\n\n    Export:", text)
        content = Reader(text, "joined").document()
        self.assertEqual(content["components"]["schemas"]["Export"]["required"], ["notes", "words"])
        self.assertEqual(list(content["components"]["schemas"]), ["Code", "Export", "Place"])
        self.assertEqual(
            content["paths"]["/v1/notes"]["get"]["description"], "All notes.\nA note may have a place.\n")
        self.assertEqual(text, OPENAPI.document(self.root))

    def test_a_name_in_two_parts_is_refused(self) -> None:
        self.change(PLACES, "Place:", "Code:")
        self.refuses(f"{PLACES}:3", "'Code'", HEAD, "Rename")

    def test_the_same_path_in_two_parts_is_refused(self) -> None:
        self.change(PLACES, "components:", "paths:\n  /v1/notes: {}\n\ncomponents:")
        self.refuses(f"{PLACES}:2", "'/v1/notes'", NOTES)

    def test_the_same_addition_in_two_parts_is_refused(self) -> None:
        self.change(PLACES, "noPlace", "noNote")
        self.refuses(PLACES, "'- noNote'", NOTES)

    def test_an_addition_without_a_place_is_refused(self) -> None:
        self.change(PLACES, "codes:", "kodes:")
        self.refuses(PLACES, "# additions: kodes")

    def test_additions_on_the_line_of_their_name_are_refused(self) -> None:
        self.change(PLACES, "codes:\n    - noPlace", "codes: [noPlace]")
        self.refuses(PLACES, "Write each on a line of its own")

    def test_a_missing_part_is_named(self) -> None:
        (self.root / NOTES).unlink()
        self.refuses(NOTES, "missing", "Notes has an HTTP target")

    def test_a_missing_head_is_named(self) -> None:
        (self.root / HEAD).unlink()
        self.refuses(HEAD, "missing")

    def test_members_that_only_the_head_may_have_are_refused(self) -> None:
        self.change(NOTES, "tags:", "info: {}\ntags:")
        self.refuses(f"{NOTES}:1", "'info'")


class ExampleTests(unittest.TestCase):
    def test_the_part_of_the_example_domain_joins_with_those_of_the_product(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for name in OPENAPI.names(REPOSITORY):
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(REPOSITORY / name, root / name)
            for domain in [*(root / "Sources/Domains").iterdir(), root / "Sources/Domains/Notes"]:
                (domain / "HTTP").mkdir(parents=True)
            shutil.copy(REPOSITORY / "Tests/ExampleDomain/openapi.yaml", root / NOTES)
            self.assertIn("operationId: addNote", OPENAPI.document(root))
            self.assertEqual(list(LINT.findings(root)), [])


class ReadingTests(PartsTest):
    def test_wrong_lines_are_named_with_what_to_do(self) -> None:
        for old, new, wanted in [
            ("      operationId", "       operationId", "indented by 7 spaces"),
            ("      operationId", "     operationId", "indented by 5 spaces. Indent it by 6."),
            ("    get:", "\tget:", "Write spaces"),
            ("listNotes", "list: notes", "Put it in quotes"),
            ("listNotes", "'listNotes", "quotes are not closed"),
            ("operationId: listNotes", "operationId:", "has no value"),
            ("operationId: listNotes", "operationId", "Write 'name: value'"),
            ("{description: The notes.}", "{description: The notes.", "bracket is not closed"),
            ("{description: The notes.}", "{description The notes.}", "has no value"),
            ("{description: The notes.}", "*Other", "no anchor"),
            ("description: |", "operationId: |", "is already on line 7"),
            ("- name: notes", "name: notes\n  - name: notes", "not a member"),
        ]:
            with self.subTest(new):
                self.write(NOTES, PARTS[NOTES])
                self.change(NOTES, old, new)
                self.refuses(NOTES, wanted)


class LintTests(PartsTest):
    def found(self) -> list[str]:
        return [f"{part}:{line}: {place}: {sentence}" for part, (line, place, sentence) in LINT.findings(self.root)]

    def test_correct_parts_have_no_findings(self) -> None:
        self.assertEqual(self.found(), [])

    def test_each_rule_finds_what_breaks_it(self) -> None:
        for schema, wanted in [
            ("type: 'null'", "only null"),
            ("oneOf: [{$ref: '#/components/schemas/None'}]\ndiscriminator: {propertyName: a}", "may be null"),
            ("oneOf: [{type: object}]\ndiscriminator: {propertyName: a}", "no name"),
            ("oneOf: [{$ref: '#/components/schemas/Place'}]", "Add a discriminator"),
            ("anyOf: [{$ref: '#/components/schemas/Place'}]", "anyOf"),
            ("not: {type: object}", "Say what is allowed"),
            ("allOf: [{$ref: '#/components/schemas/Place'}]", "without allOf"),
            ("properties:\n  default: {type: string, enum: [a, b]}", "properties default enum"),
            ("properties:\n  enum: {type: string, const: a}", "properties enum const"),
            ("items: {type: string, enum: [a, b]}", "items enum"),
            ("enum: [a, b]", "Add the type"),
            ("type: string\nenum: [a, null]", "does not allow it"),
        ]:
            with self.subTest(schema):
                none = "    None:\n      type: [object, 'null']\n"
                self.write(PLACES, PARTS[PLACES])
                self.change(PLACES, "    Place: {type: string}\n",
                            f"{none}    Place:\n{indent(schema, '      ')}\n")
                found = self.found()
                self.assertEqual(len(found), 1, found)
                self.assertIn(wanted, found[0])
                self.assertTrue(found[0].startswith(f"{PLACES}:"), found)

    def test_what_the_rules_allow_is_not_found(self) -> None:
        self.change(PLACES, "Place: {type: string}", dedent("""\
            Place:
                  type: [string, 'null']
                  enum: [a, null]
                Holder:
                  type: object
                  properties:
                    place: {$ref: '#/components/schemas/Place', description: One., default: a}
                  example: {enum: [a], type: 'null'}"""))
        self.assertEqual(self.found(), [])

    def test_names_of_operations(self) -> None:
        for old, new, wanted in [
            ("      operationId: listNotes\n", "", "no operationId"),
            ("listNotes", "ListNotes", "lowerCamelCase"),
            ("listNotes", "list_notes", "lowerCamelCase"),
            ("additions:\n  codes", "  /v1/other:\n    put: {operationId: listNotes}\nadditions:\n  codes", "also that of"),
        ]:
            with self.subTest(new):
                self.write(NOTES, PARTS[NOTES])
                self.change(NOTES, old, new)
                found = self.found()
                self.assertEqual(len(found), 1, found)
                self.assertIn(wanted, found[0])


if __name__ == "__main__":
    unittest.main()
