"""Tests of the classes of Tests/APITests/access: whether each route has one, without a gateway."""

import sys
import unittest
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader

from loading import REPOSITORY

sys.path.insert(0, str(REPOSITORY / "Tests" / "APITests"))

from access.document import operations, unmatched  # noqa: E402  (it is found by the line above)
from access.matrix import cells  # noqa: E402
from access.people import SOMEBODIES, VIEWERS, VISIBILITIES  # noqa: E402
from access.routes import ROUTES, joined  # noqa: E402
from access.rules import ERASED, GUESSED, OTHERS, OWN, SUSPENDED  # noqa: E402
from openapi_support.reader import Reader  # noqa: E402

EXAMPLE = REPOSITORY / "Tests" / "ExampleDomain"


def example_routes():
    """The classes of the example's routes, as a file of the package would have them."""
    loader = SourceFileLoader("access.routes.notes", str(EXAMPLE / "Access" / "notes.py"))
    module = module_from_spec(spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module.ROUTES


class ClassTests(unittest.TestCase):
    def test_every_route_has_a_class_and_every_class_a_route(self):
        self.assertEqual(unmatched(operations(), ROUTES), [])

    def test_a_new_route_and_a_class_without_a_route_are_found(self):
        documented = [*operations(), "GET /v1/diaries/{id}"]
        found = unmatched(documented, {**ROUTES, "GET /v1/poems": ROUTES["GET /v1/me"]})
        self.assertEqual([fault.split(" has ")[0] for fault in found], ["GET /v1/diaries/{id}", "GET /v1/poems"])

    def test_a_file_for_each_domain_is_enough(self):
        notes = Reader((EXAMPLE / "openapi.yaml").read_text(encoding="utf-8"), "openapi.yaml").document()["paths"]
        added = [f"{method.upper()} {path}" for path, item in notes.items() for method in item]
        self.assertEqual(added, ["GET /v1/notes", "POST /v1/notes"])
        self.assertEqual(unmatched([*operations(), *added], joined([ROUTES, example_routes()])), [])

    def test_a_route_with_classes_in_two_files_is_refused(self):
        with self.assertRaisesRegex(ValueError, "GET /v1/notes, POST /v1/notes"):
            joined([ROUTES, example_routes(), example_routes()])

    def test_the_matrix_has_every_viewer_and_visibility_of_every_route(self):
        found = list(cells(ROUTES, operations()))
        self.assertGreater(len(found), 4_000)
        for operation in operations():
            asked = {(cell.viewer, cell.visibility) for cell in found if cell.operation == operation}
            self.assertEqual(asked, {(viewer, visibility) for viewer in VIEWERS for visibility in VISIBILITIES})

    def test_what_nobody_reaches_is_refused(self):
        for cell in cells(ROUTES, operations()):
            expected = cell.rule.expect(cell.viewer, cell.visibility, cell.target)
            self.assertEqual(expected.is_refused, expected.status >= 400, str(cell))

    def test_a_private_person_is_reached_only_by_those_whom_they_follow(self):
        for operation in ("GET /v1/users/{username}", "PUT /v1/users/{username}/block"):
            reached = {
                viewer for viewer in SOMEBODIES if viewer not in ("self", "blocker")
                and ROUTES[operation].expect(viewer, "private", OTHERS).status < 300}
            self.assertEqual(reached, set() if operation.startswith("GET") else {"followed", "mutual"})
            self.assertEqual(ROUTES[operation].expect("blocked", "public", OTHERS).status, 404)
            self.assertNotEqual(ROUTES[operation].expect("stranger", "public", OWN).status, 404)

    def test_a_share_is_seen_by_those_who_see_its_senders_profile(self):
        share = ROUTES["GET /v1/shares/{id}"]
        self.assertEqual(
            {viewer for viewer in SOMEBODIES if share.expect(viewer, "followers", OTHERS).status == 200},
            {"follower", "mutual"})
        for visibility, target in (("private", OTHERS), ("public", SUSPENDED), ("public", ERASED)):
            for viewer in SOMEBODIES:
                expected = share.expect(viewer, visibility, target)
                self.assertEqual((expected.status, expected.is_like_unknown), (404, True))

    def test_a_link_shows_everybody_the_same(self):
        page = ROUTES["GET /p/{token}"][0]
        for viewer in VIEWERS:
            self.assertEqual(
                [page.expect(viewer, visibility, OTHERS).status for visibility in VISIBILITIES], [200, 200, 404])
            self.assertEqual(
                {page.expect(viewer, "public", target).status for target in (SUSPENDED, ERASED, GUESSED)}, {404})
        self.assertEqual(page.expect("self", "private", OWN).status, 404)

    def test_a_calendar_works_whatever_the_profile_shows(self):
        for method in ("GET", "HEAD"):
            calendar = ROUTES[f"{method} /v1/calendar/{{secret}}.ics"]
            for viewer in VIEWERS:
                self.assertEqual(
                    {calendar.expect(viewer, visibility, OTHERS).status for visibility in VISIBILITIES}, {200})
                self.assertEqual(
                    {calendar.expect(viewer, "private", target).status for target in (SUSPENDED, ERASED, GUESSED)},
                    {404})
            self.assertEqual(calendar.expect("self", "private", OWN).status, 200)


if __name__ == "__main__":
    unittest.main()
