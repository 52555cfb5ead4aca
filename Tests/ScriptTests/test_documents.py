"""Tests of how scripts/check-documents compares the snippets of docs/adding-a-domain.md with the example domain."""

import unittest

from loading import script

DOCUMENTS = script("check-documents")
FILES = [["import Storage", "a", "b", "c", "d"], ["a", "x"]]


class SnippetTests(unittest.TestCase):
    def test_consecutive_lines_of_one_file_are_found(self) -> None:
        for snippet in (["a", "b"], ["a", "x"], ["b", "", "c"], ["…"], []):
            self.assertIsNone(DOCUMENTS.absent_line(snippet, FILES), snippet)

    def test_an_ellipsis_stands_for_any_number_of_lines(self) -> None:
        for snippet in (["a", "…", "d"], ["a", "… more", "b"], ["…", "d"], ["import Storage", "…"]):
            self.assertIsNone(DOCUMENTS.absent_line(snippet, FILES), snippet)

    def test_the_first_line_that_differs_is_named(self) -> None:
        for snippet, index in (
            (["a", "c"], 1), (["y"], 0), (["a", "b", "y", "d"], 2), (["c", "…", "a"], 2), (["x", "b"], 1),
            (["a", "", "y"], 2),
        ):
            self.assertEqual(DOCUMENTS.absent_line(snippet, FILES), index, snippet)

    def test_paths_of_the_example_are_those_that_it_would_have_in_the_product(self) -> None:
        for path, place in (
            ("Sources/Domains/Notes/Core/Note.swift", "Tests/ExampleDomain/Core/Note.swift"),
            ("Services/api-gateway/Web/assets/notes/notes.js", "Tests/ExampleDomain/Pages/notes.js"),
            ("Tests/NotesTests/NoteStoreTests.swift", "Tests/ExampleDomainTests/NoteStoreTests.swift"),
        ):
            self.assertEqual(DOCUMENTS.in_example(path), place)
            self.assertEqual(DOCUMENTS.in_product(place), path)
        self.assertEqual(DOCUMENTS.in_product('path: "Tests/ExampleDomain"'), 'path: "Sources/Domains/Notes"')
        self.assertEqual(DOCUMENTS.in_example("Sources/Domains/NotesOfOthers"), "Sources/Domains/NotesOfOthers")


if __name__ == "__main__":
    unittest.main()
