"""Tests of what scripts/check-words refuses in documents, parts of the API's document, and the help of scripts."""

import tempfile
import unittest
from pathlib import Path

from loading import script

WORDS = script("check-words")


def refused(name: str, text: str) -> list[tuple[int, str]]:
    """The lines and the wordings that are refused in a file with this name and text."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
        rules = WORDS.compiled(WORDS.WORST)
        return [(number, words) for found in WORDS.texts(file)
                for number, words, _, _ in WORDS.findings(found, rules)]


class DocumentTests(unittest.TestCase):
    def test_wording_that_is_divided_by_the_end_of_a_line_is_found(self) -> None:
        text = "# Backups\n\nA copy is\nno backup.\n\n- The archive goes\n  on from `there`.\n| typed | anew |\n"
        self.assertEqual(refused("a.md", text), [(3, "is no"), (6, "goes on"), (8, "anew")])

    def test_code_and_what_belongs_to_different_paragraphs_are_not(self) -> None:
        text = "```sh\n# anew\n```\n\nIt is `anew`.\n\n- This is\n- no item.\n\nTickets go on sale. There is no queue.\n"
        self.assertEqual(refused("a.md", text), [])

    def test_lines_after_code_keep_their_numbers(self) -> None:
        self.assertEqual(refused("a.md", "```\nls\n```\nSee `one\ntwo`.\nTyped anew.\n"), [(6, "anew")])


class PartTests(unittest.TestCase):
    def test_values_of_every_form_are_read(self) -> None:
        text = (
            "paths:\n  /v1/me:\n    get:\n      summary: Decides about a report.\n      description: |\n"
            "        Administrators cannot erase\n        oneself. The person is\n        no administrator.\n"
            "      parameters:\n        - {name: q, description: Typed anew.}\n")
        for name in ("openapi.yaml", "openapi/people.yaml"):
            self.assertEqual(
                sorted(refused(name, text)),
                [(4, "Decides about"), (7, "is no"), (7, "oneself"), (10, "anew")], name)

    def test_keys_and_code_are_not(self) -> None:
        text = "summary: It is\nno:\n  description: The member `anew` is optional.\nx: no answer\n"
        self.assertEqual(refused("openapi.yaml", text), [])


class HelpTests(unittest.TestCase):
    def test_the_head_and_the_usage_of_a_shell_script_are_read(self) -> None:
        text = (
            "#!/usr/bin/env bash\n# This is\n# no test.\nset -eu\n# A remark that goes on.\n"
            "usage() {\n    cat <<'TEXT'\nUsage: tool\n\nThe tool begins anew.\nTEXT\n}\n")
        self.assertEqual(refused("tool", text), [(2, "is no"), (10, "anew")])

    def test_the_documentation_of_a_script_in_python_is_read(self) -> None:
        text = '#!/usr/bin/env python3\n"""Begins\nanew.\n"""\n\nWORDS = "anew"\n'
        self.assertEqual(refused("tool", text), [(3, "anew")])


class RepositoryTests(unittest.TestCase):
    def test_documents_parts_and_scripts_are_among_the_files(self) -> None:
        files = {str(file.relative_to(WORDS.REPOSITORY)) for file in WORDS.files()}
        for name in (
            "README.md", "CHANGELOG.md", "docs/operations.md", "docs/decisions/033-usernames.md", "scripts/run",
            "Sources/Domains/Feed/openapi.yaml", "Sources/Domains/Accounts/openapi/people.yaml",
            "Sources/Domains/Feed/README.md", "config/backline.yaml",
            "Sources/Domains/Library/settings.yaml",
        ):
            self.assertIn(name, files)
        # It is generated from the parts.
        self.assertNotIn("docs/openapi.yaml", files)


if __name__ == "__main__":
    unittest.main()
