"""The imports of the pages' modules, and their table. The tests of the table need a gateway; none needs a browser."""

import re

import pytest

from support.modules import ROUTER, TABLE, WEB, cycle, graph, modules, reachable

MODULES = modules()
GRAPH = graph(MODULES)
# The folders that each folder may import from, besides itself. A folder that is not listed is a domain's.
LAYERS = {"ui": set(), "shell": {"ui"}, "site": {"shell", "ui", "catalog", "concerts", "curation", "setup"}}
DOMAIN = {"shell", "ui"}


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
        for path, module in MODULES.items() for source, names in module.imports.items() if source != TABLE
        for name in names if source not in MODULES or name not in MODULES[source].exports
    ]
    assert missing == []


def test_every_export_is_imported_somewhere():
    imported = {(source, name) for module in MODULES.values() for source, names in module.imports.items()
                for name in names}
    unused = [
        f"{path}: {name}" for path, module in MODULES.items() for name in sorted(module.exports - {"show"})
        if (path, name) not in imported
    ]
    assert unused == []


def test_folders_import_downward():
    upwards = [
        f"{path} imports {source}"
        for path, module in MODULES.items() for source in module.imports if source != TABLE
        if (folder := source.split("/")[2]) != module.folder
        if folder not in LAYERS.get(module.folder, DOMAIN)
    ]
    assert upwards == []


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


def test_every_style_sheet_and_every_module_is_used():
    index = (WEB / "index.html").read_text()
    sheets = {"/" + file.relative_to(WEB).as_posix() for file in (WEB / "assets").rglob("*.css")}
    assert sheets == set(re.findall(r'<link rel="stylesheet" href="([^"]+)">', index))
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
