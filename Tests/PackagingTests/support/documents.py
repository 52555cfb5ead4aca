"""The commands of a document, so that tests run what the document tells people to run."""

import re

from backline_test import REPOSITORY


def commands(document: str, section: str) -> list[str]:
    """The commands in the ```sh blocks of a section, without its subsections, in their order.

    A command is what a shell would read as one: it includes lines after a backslash, the body of a here-document, and
    a loop. Comments stay, since the shell ignores them.
    """
    found = [command for block in blocks(document, section) for command in _commands_of(block)]
    if not found:
        raise LookupError(f'the section "{section}" of {document} has no commands')
    return found


def blocks(document: str, section: str, language: str = "sh") -> list[str]:
    """The fenced blocks of a section in one language: `sh`, `yaml`."""
    found, block, inside, fence = [], [], False, None
    for line in (REPOSITORY / document).read_text().splitlines():
        if fence is not None:
            if line.startswith("```"):
                if inside and fence == language:
                    found.append("\n".join(block) + "\n")
                fence = None
            else:
                block.append(line)
        elif line.startswith("```"):
            fence, block = line[3:].strip(), []
        elif heading := re.match(r"#+ +(.*?) *$", line):
            inside = heading[1] == section
    return found


def _commands_of(block: str) -> list[str]:
    found, lines = [], []
    end_of_here_document = None
    open_loops = 0
    for line in block.splitlines():
        if not lines and not line.split("#", 1)[0].strip():
            continue  # An empty line or a comment between commands.
        lines.append(line)
        if end_of_here_document is not None:
            if line != end_of_here_document:
                continue
            end_of_here_document = None
        elif here := re.search(r"<<-?'?(\w+)'?", line):
            end_of_here_document = here[1]
            continue
        else:
            code = re.sub(r"\s#.*", "", line)
            open_loops += len(re.findall(r"(?:^|[;\s])do(?:\s|$)", code))
            open_loops -= len(re.findall(r"(?:^|[;\s])done(?:[;\s]|$)", code))
            if code.endswith("\\") or open_loops > 0:
                continue
        found.append("\n".join(lines))
        lines = []
    if lines:
        raise ValueError(f"the block's last command does not end:\n{block}")
    return found
