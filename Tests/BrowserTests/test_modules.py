"""The imports of the pages' modules, and their table. The tests of the table need a gateway; none needs a browser."""

import re

import pytest

from support.modules import ROUTER, TABLE, WEB, Module, cycle, graph, modules, reachable
from backline_test import REPOSITORY

MODULES = modules()
GRAPH = graph(MODULES)
# The folders that each folder may import from, besides itself (docs/architecture.md). One that is not listed is that of a
# domain, and uses no other domain.
DOMAIN = {"shell", "ui"}
LAYERS = {
    "ui": set(),
    "shell": {"ui"},
    "songs": {*DOMAIN, "previews"},
    "shares": {*DOMAIN, "songs"},
    "people": {*DOMAIN, "shares"},
    "library": {*DOMAIN, "songs"},
    "listening": {*DOMAIN, "songs"},
    "messages": {*DOMAIN, "songs"},
    "concerts": {*DOMAIN, "connections"},
    "catalog": {*DOMAIN, "connections", "library", "songs"},
    "curation": {*DOMAIN, "songs"},
    "feed": {*DOMAIN, "people", "shares", "songs"},
    "site": {*DOMAIN, "accounts", "catalog", "concerts", "connections", "curation", "feed", "songs"},
}
FOLDERS = {module.folder for module in MODULES.values()}


def test_the_imports_have_no_cycle():
    assert cycle(GRAPH) is None


@pytest.mark.parametrize("edges, found", [
    ({"a": {"b"}, "b": {"c"}, "c": set()}, None),
    ({"a": {"b", "c"}, "b": {"c"}, "c": set()}, None),
    ({"a": {"a"}}, ["a", "a"]),
    ({"a": {"b"}, "b": {"c"}, "c": {"b"}}, ["b", "c", "b"]),
])
def test_a_cycle_is_found(edges, found):
    assert cycle(edges) == found


def test_every_import_names_something_that_its_module_exports():
    missing = [
        f"{path} imports {name} from {source}"
        for path, module in MODULES.items() for source, names in module.all_imports.items() if source != TABLE
        for name in names if source not in MODULES or name not in MODULES[source].exports
    ]
    assert missing == []


def test_every_export_is_imported_somewhere():
    imported = {(source, name) for module in MODULES.values() for source, names in module.all_imports.items()
                for name in names}
    unused = [
        f"{path}: {name}" for path, module in MODULES.items() for name in sorted(module.exports - {"show"})
        if (path, name) not in imported
    ]
    assert unused == []


def test_folders_import_downward():
    upwards = [
        f"{path} imports {source}"
        for path, module in MODULES.items() for source in module.all_imports if source != TABLE
        if (folder := source.split("/")[2]) != module.folder
        if folder not in LAYERS.get(module.folder, DOMAIN)
    ]
    assert upwards == []


def test_no_folder_may_import_from_one_above_it():
    assert cycle({folder: LAYERS.get(folder, DOMAIN) for folder in FOLDERS}) is None


def test_a_folder_may_import_only_from_the_domains_that_it_needs():
    needed = {folder: set() for folder in LAYERS}
    for module in MODULES.values():
        if module.folder in LAYERS:
            needed[module.folder] |= {source.split("/")[2] for source in module.all_imports if source != TABLE}
    assert {folder: needed[folder] - {folder, *DOMAIN} for folder in LAYERS} == {
        folder: allowed - DOMAIN for folder, allowed in LAYERS.items()}


def test_the_page_of_the_example_domain_imports_only_what_a_domain_may():
    page = Module("/assets/notes/notes.js", (REPOSITORY / "Tests/ExampleDomain/Pages/notes.js").read_text())
    assert page.is_page and page.imports
    for source, names in page.imports.items():
        assert source.split("/")[2] in DOMAIN and names <= MODULES[source].exports


@pytest.mark.parametrize("path, module", [
    ("/library", "library/library.js"), ("/explore/concerts/0199-x", "concerts/results.js"),
])
def test_a_document_names_the_modules_that_its_page_needs(shared_backline, path, module):
    document = shared_backline.read(path)
    ahead = re.findall(r'<link rel="modulepreload" href="/assets/[0-9a-f]{16}/([^"]+)">', document)
    needed = {path: set(MODULES[path].imports) if path in MODULES else set() for path in GRAPH}
    wanted = reachable(needed, "/assets/shell/main.js") | reachable(needed, f"/assets/{module}")
    assert sorted(f"/assets/{name}" for name in ahead) == sorted(wanted)
    assert ROUTER in wanted


@pytest.mark.parametrize("path, module", [
    ("/library", "library/library.js"), ("/feed", "site/feed.js"), ("/explore/concerts/0199-x", "concerts/results.js"),
])
def test_a_document_links_the_style_sheets_of_the_folders_that_its_page_uses(shared_backline, path, module):
    document = shared_backline.read(path)
    linked = re.findall(
        r'<link rel="stylesheet" href="/assets/[0-9a-f]{16}/(\w+)/(\w+)\.css" data-domain="(\w+)">', document)
    used = {path.split("/")[2] for path in used_by(f"/assets/{module}")}
    wanted = sorted(folder for folder in used - DOMAIN if (WEB / f"assets/{folder}/{folder}.css").exists())
    assert linked == [(folder, folder, folder) for folder in wanted]


def used_by(page: str) -> set[str]:
    """The modules that a page loads at once or later."""
    return reachable({**GRAPH, ROUTER: set()}, page) - {TABLE}


def test_each_page_has_the_style_sheets_of_the_classes_that_its_modules_name():
    defined: dict[str, set[str]] = {}
    for file in (WEB / "assets").glob("*/*.css"):
        if file.name != "link.css":
            selectors = re.sub(r"/\*.*?\*/|\{[^{}]*\}", "", file.read_text(), flags=re.DOTALL)
            defined.setdefault(file.parent.name, set()).update(re.findall(r"\.([a-z][\w-]*)", selectors))
    missing = set()
    for page in (path for path, module in MODULES.items() if module.is_page):
        folders = {path.split("/")[2] for path in used_by(page)} | DOMAIN
        for path in used_by(page):
            for name in " ".join(re.findall(r'class: "([^"]+)"', MODULES[path].text)).split():
                owners = {folder for folder, names in defined.items() if name in names}
                if owners and not owners & folders:
                    missing.add(f"{page}: {path} names .{name} of {owners}")
    assert sorted(missing) == []


def test_every_style_sheet_and_every_module_is_used():
    index = (WEB / "index.html").read_text()
    sheets = {"/" + file.relative_to(WEB).as_posix() for file in (WEB / "assets").rglob("*.css")}
    # The page of a link to a share is a document of its own, which the gateway writes.
    sheets.remove("/assets/shares/link.css")
    shared = set(re.findall(r'<link rel="stylesheet" href="([^"]+)">', index))
    assert {sheet.split("/")[2] for sheet in shared} == DOMAIN
    # The gateway and the router add that of each other folder, which has the folder's name.
    assert sheets - shared <= {f"/assets/{folder}/{folder}.css" for folder in FOLDERS - DOMAIN}
    scripts = set(re.findall(r'<script[^>]* src="([^"]+)">', index))
    used = set().union(*(reachable(GRAPH, script) for script in scripts))
    assert set(MODULES) - used == set()


def test_the_table_lists_the_modules_that_show_a_page(shared_backline):
    table = shared_backline.read(TABLE)
    listed = {f"/assets/{name}" for name in re.findall(r'"module":"../([^"]+)"', table)}
    # The router shows this page for an address that is not in the table.
    unlisted = {"/assets/shell/not-found.js"}
    assert listed | unlisted == {path for path, module in MODULES.items() if module.is_page}


def test_the_sections_of_the_table_are_those_of_the_navigation(shared_backline):
    of_pages = set(re.findall(r'"section":"([^"]+)"', shared_backline.read(TABLE)))
    of_navigation = set(re.findall(r'section: "([^"]+)"', MODULES["/assets/shell/navigation.js"].text))
    assert of_pages == of_navigation
