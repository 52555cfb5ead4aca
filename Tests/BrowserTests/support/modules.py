"""The pages' JavaScript modules, and which of them import which.

`python -m support.modules`, run in this folder, draws the graph for Graphviz: `| dot -Tsvg > modules.svg`.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin

from backline_test import REPOSITORY

WEB = REPOSITORY / "Services" / "api-gateway" / "Web"
# The gateway generates this module: the table of pages, and the names of events.
TABLE = "/assets/pages.js"
ROUTER = "/assets/shell/router.js"

_IMPORT = re.compile(r'^import (?:\{([^}]*)\} from )?"([^"]+)";', re.MULTILINE)
# `whenUsed(import("…"), ({ name }) => …)`, `const { name } = await loaded(import("…"))`, and `import("…").then(…)`.
_LATER = re.compile(
    r'(?:\{ ([\w, ]+) \} = await loaded\()?\bimport\("([^"]+)"\)\)?(?:(?:, |\.then\()\(\{ ([\w, ]+) \}\) =>)?')
_EXPORT = re.compile(r"^export (?:async )?(?:function|class|const|let) (\w+)", re.MULTILINE)


@dataclass(frozen=True)
class Module:
    """One file. Its `path` is the one that browsers request."""

    path: str
    text: str

    @property
    def folder(self) -> str:
        return self.path.split("/")[2]

    @property
    def imports(self) -> dict[str, set[str]]:
        """The names that it imports from each other module, by that module's path."""
        return self._found(_IMPORT.findall(self.text))

    @property
    def later(self) -> dict[str, set[str]]:
        """The names that it imports from each module that it loads only when it is used."""
        return self._found((f"{before},{after}", source) for before, source, after in _LATER.findall(self.text))

    @property
    def all_imports(self) -> dict[str, set[str]]:
        """`imports` and `later`."""
        return {source: self.imports.get(source, set()) | self.later.get(source, set())
                for source in {*self.imports, *self.later}}

    def _found(self, imports: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for names, source in imports:
            taken = {name.split(" as ")[0].strip() for name in names.split(",") if name.strip()}
            found.setdefault(urljoin(self.path, source), set()).update(taken)
        return found

    @property
    def exports(self) -> set[str]:
        return set(_EXPORT.findall(self.text))

    @property
    def is_page(self) -> bool:
        """Whether it is a page: the router loads a page when someone opens it, and calls its `show`."""
        return "show" in self.exports


def modules() -> dict[str, Module]:
    """All modules by their paths."""
    files = sorted((WEB / "assets").rglob("*.js"))
    found = [Module("/" + file.relative_to(WEB).as_posix(), file.read_text()) for file in files]
    return {module.path: module for module in found}


def graph(found: dict[str, Module]) -> dict[str, set[str]]:
    """The modules that each module imports, at once or later, including the pages that the router loads."""
    edges = {path: set(module.all_imports) for path, module in found.items()}
    edges[TABLE] = set()
    edges[ROUTER] |= {path for path, module in found.items() if module.is_page}
    return edges


def reachable(edges: dict[str, set[str]], start: str) -> set[str]:
    """`start` and everything that it needs."""
    found: set[str] = set()
    waiting = [start]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting.extend(edges[path])
    return found


def cycle(edges: dict[str, set[str]]) -> list[str] | None:
    """The paths of one cycle, which begins and ends with the same module, or `None` if there is none."""
    for start in edges:
        trails = [[start, path] for path in sorted(edges[start])]
        seen: set[str] = set()
        while trails:
            trail = trails.pop()
            if trail[-1] == start:
                return trail
            if trail[-1] not in seen:
                seen.add(trail[-1])
                trails.extend([*trail, path] for path in sorted(edges[trail[-1]]))
    return None


def drawing(edges: dict[str, set[str]]) -> str:
    """The graph in Graphviz's language, with a box around each folder."""
    lines = ["digraph modules {", "  rankdir=LR; node [shape=box];"]
    for folder in sorted({Path(path).parent.name for path in edges}):
        lines.append(f'  subgraph "cluster_{folder}" {{ label="{folder}";')
        lines += [f'    "{path}" [label="{Path(path).stem}"];' for path in edges if Path(path).parent.name == folder]
        lines.append("  }")
    lines += [f'  "{path}" -> "{needed}";' for path in edges for needed in sorted(edges[path])]
    return "\n".join([*lines, "}"])


if __name__ == "__main__":
    print(drawing(graph(modules())))
