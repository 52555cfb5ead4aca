"""The parts of the API's document: the gateway's own, and those of the domains."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from openapi_support.reader import DocumentError, Object, Reader

REPOSITORY = Path(__file__).resolve().parents[2]
DOCUMENT = "docs/openapi.yaml"
# Only this part has the document's title, servers and the like.
HEAD = "Sources/Gateway/openapi/head.yaml"
HEAD_MEMBERS = ["openapi", "info", "servers", "security"]
# In the order of the document. Schemas and paths are long, and have a blank line between each other.
COMPONENTS = ["securitySchemes", "parameters", "headers", "requestBodies", "responses", "schemas"]
MARKER = re.compile(r"( *)# (additions|names of additions): (\w+)$")


@dataclass
class Block:
    """A named piece of a part, such as a path or a schema, with the comments above it."""

    part: str
    line: int
    name: str
    lines: list[str]


@dataclass
class Part:
    """A part, cut into the blocks of each of its sections, such as `paths` and `components/schemas`."""

    name: str
    content: Object
    head: list[str] = field(default_factory=list)
    sections: dict[str, list[Block]] = field(default_factory=dict)


def names(root: Path) -> list[str]:
    """The paths of all parts in the order of the document: the gateway's, and those of the domains."""
    sources = root / "Sources"
    found = sorted(sources.glob("Gateway/openapi/*.yaml"))
    if not (root / HEAD).is_file():
        raise DocumentError(HEAD, 1, "The file is missing. It has the document's title, servers and security.")
    for domain in sorted(path for path in (sources / "Domains").iterdir() if (path / "HTTP").is_dir()):
        own = [path for path in [domain / "openapi.yaml"] if path.is_file()] + sorted(domain.glob("openapi/*.yaml"))
        if not own:
            raise DocumentError(
                str((domain / "openapi.yaml").relative_to(root)), 1,
                f"The file is missing. The domain {domain.name} has an HTTP target: describe its routes there.")
        found += own
    return [str(path.relative_to(root)) for path in found]


def read(name: str, root: Path = REPOSITORY) -> Part:
    text = (root / name).read_text(encoding="utf-8")
    part = Part(name, Reader(text, name).document())
    lines = text.splitlines()
    allowed = ["tags", "paths", "components", "additions"] + (HEAD_MEMBERS if name == HEAD else [])
    for member, line in part.content.lines.items():
        if member not in allowed:
            raise DocumentError(name, line, f"A part has no member '{member}'. Write one of: {', '.join(allowed)}.")
    for member, below in pieces(name, lines, 0, len(lines), 0):
        if member in HEAD_MEMBERS:
            part.head += lines[below.start - 1:below.stop]
        elif member == "components":
            for section, blocks in pieces(name, lines, below.start, below.stop, 2):
                if section not in COMPONENTS:
                    raise DocumentError(
                        name, blocks.start, f"There are no components '{section}'. Write one of: "
                                            f"{', '.join(COMPONENTS)}.")
                part.sections[f"components/{section}"] = list(cut(name, lines, blocks, 4))
        else:
            part.sections[member] = list(cut(name, lines, below, 2))
    return part


def pieces(name: str, lines: list[str], start: int, end: int, indent: int) -> Iterator[tuple[str, range]]:
    """The members with this indentation between two lines, each with the range of lines below its own."""
    starts = [index for index in range(start, end) if re.match(rf" {{{indent}}}[^\s#]", lines[index])]
    for index, following in zip(starts, starts[1:] + [end]):
        yield lines[index].strip().split(":")[0], range(index + 1, following)


def cut(name: str, lines: list[str], below: range, indent: int) -> Iterator[Block]:
    """The blocks of a section. The comments above a block belong to it."""
    begin = re.compile(rf" {{{indent}}}(?:- name: +)?('?)([^\s#].*?)\1(?::|$)")
    pending: list[str] = []
    block: Block | None = None
    for index in below:
        line = lines[index]
        if match := begin.match(line):
            if block:
                yield block
            block = Block(name, index + 1, match[2], [*pending, line])
            pending = []
        elif re.match(rf" {{{indent}}}#", line) and not MARKER.match(line):
            pending.append(line)
        elif block:
            block.lines += [*pending, line]
            pending = []
    if block:
        block.lines += pending
        yield block
    elif below:
        raise DocumentError(name, below.start, "The section has no entries. Write one, or remove the section.")
