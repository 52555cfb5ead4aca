"""Reads the part of YAML that the parts of the API's document use, and remembers the lines of what it reads.

No library is needed, and the form stays narrow: objects and lists are indented by two spaces, `{…}` and `[…]` may
continue on further lines, other values stay on their line or are blocks (`|` and `>-`). Anchors, aliases and `<<` work
within a file. Whatever else YAML allows is refused, with a sentence that says what to write instead.
"""

import re
from typing import Any, NoReturn


class DocumentError(Exception):
    """What is wrong with a file, and what to do."""

    def __init__(self, name: str, line: int, sentence: str) -> None:
        super().__init__(f"{name}:{line}: {sentence}")


class Object(dict[str, Any]):
    """An object, with the line of each member."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: dict[str, int] = {}


class List(list[Any]):
    """A list, with the line of each element."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[int] = []


SINGLE = r"'(?:[^']|'')*'"
DOUBLE = r'"(?:[^"\\]|\\.)*"'
MEMBER = re.compile(rf"({SINGLE}|{DOUBLE}|[^\s'\"{{}}\[\],&*#?|>%@`-][^:#]*?|<<)\s*:(?:\s+(.*))?$")
QUOTED = re.compile(rf"({SINGLE}|{DOUBLE})\s*(?:#.*)?$")
BRACKETS = {"{": 1, "[": 1, "}": -1, "]": -1}
TOKEN = re.compile(
    rf"\s*([{{}}\[\],]|{SINGLE}|{DOUBLE}|:(?=\s|$)|#.*|(?:[^\s{{}}\[\],:#'\"]|:\S)(?:[^{{}}\[\],:]|:(?=\S))*)\s*")
# scripts/openapi writes the additions of other parts there.
ADDITIONS = re.compile(r" *# (?:names of )?additions: ")


def scalar(text: str) -> Any:
    """The value of a scalar on one line."""
    text = text.strip()
    if text.startswith("'"):
        return text[1:-1].replace("''", "'")
    if text.startswith('"'):
        return re.sub(r"\\(.)", lambda match: {"n": "\n", "t": "\t"}.get(match[1], match[1]), text[1:-1])
    if text in ("null", "~"):
        return None
    if text in ("true", "false"):
        return text == "true"
    if re.fullmatch(r"[-+]?\d+", text):
        return int(text)
    if re.fullmatch(r"[-+]?\d+\.\d+", text):
        return float(text)
    return text


class Reader:
    def __init__(self, text: str, name: str) -> None:
        self.name = name
        self.lines = text.splitlines()
        self.next = 0
        self.anchors: dict[str, Any] = {}

    def fail(self, index: int, sentence: str) -> NoReturn:
        raise DocumentError(self.name, index + 1, sentence)

    def document(self) -> Object:
        for index, line in enumerate(self.lines):
            if "\t" in line:
                self.fail(index, "The line has a tab. Write spaces instead.")
        if self._peek() is None:
            self.fail(0, "The file is empty. Write the members of the document, such as 'paths:'.")
        found = self._block(0)
        if not isinstance(found, Object):
            self.fail(0, "The file begins with a list. Write the members of the document, such as 'paths:'.")
        return found

    def _peek(self) -> int | None:
        """The index of the next line that is neither blank nor a comment."""
        while self.next < len(self.lines):
            text = self.lines[self.next].strip()
            if text and not text.startswith("#"):
                return self.next
            self.next += 1
        return None

    def _indent(self, index: int) -> int:
        return len(self.lines[index]) - len(self.lines[index].lstrip())

    def _is_in(self, indent: int) -> int | None:
        """The index of the next line, if it belongs to a block with this indentation."""
        index = self._peek()
        if index is None or (found := self._indent(index)) < indent:
            return None
        if found > indent:
            self.fail(index, f"The line is indented by {found} spaces, the lines beside it by {indent}. Indent each "
                             "level by two spaces, and write a long text as a block, which begins with '|'.")
        return index

    def _block(self, indent: int) -> Any:
        index = self._peek()
        assert index is not None
        return self._list(indent) if re.match(r"-(?: |$)", self.lines[index].strip()) else self._object(indent)

    def _list(self, indent: int) -> List:
        found = List()
        while (index := self._is_in(indent)) is not None:
            text = self.lines[index][indent:]
            if not text.startswith("- "):
                self.fail(index, "The line is not an element of the list above it. Begin it with '- ', or indent it "
                                 "less.")
            found.lines.append(index + 1)
            # An object in a list begins on the line of the dash.
            if MEMBER.match(text[2:]) and text[2] not in "{[":
                self.lines[index] = " " * (indent + 2) + text[2:]
                found.append(self._object(indent + 2))
            else:
                self.next += 1
                found.append(self._value(text[2:], index, indent))
        return found

    def _object(self, indent: int) -> Object:
        found = Object()
        merged: Object | None = None
        while (index := self._is_in(indent)) is not None:
            match = MEMBER.match(self.lines[index][indent:])
            if not match:
                self.fail(index, "The line is not a member of an object. Write 'name: value'; put the value in quotes "
                                 "if it has a colon or begins with a special character.")
            name = str(scalar(match[1])) if match[1][0] in "'\"" else match[1]
            if name in found.lines:
                self.fail(index, f"'{name}' is already on line {found.lines[name]}. Remove or rename one of the two.")
            found.lines[name] = index + 1
            self.next += 1
            value = self._value(match[2] or "", index, indent)
            if name == "<<":
                merged = value
            else:
                found[name] = value
        for name, value in (merged or {}).items():
            found.setdefault(name, value)
            found.lines.setdefault(name, found.lines["<<"])
        return found

    def _value(self, text: str, index: int, indent: int) -> Any:
        """The value that begins with a text on a line of a block with this indentation."""
        if anchor := re.match(r"&(\w+)\s*", text):
            value = self._value(text[anchor.end():], index, indent)
            self.anchors[anchor[1]] = value
            return value
        if alias := re.fullmatch(r"\*(\w+)", text):
            if alias[1] not in self.anchors:
                self.fail(index, f"'*{alias[1]}' has no anchor above it in this file. Write '&{alias[1]}' at the value "
                                 "that is meant, or move both into one file.")
            return self.anchors[alias[1]]
        if text[:1] in ("|", ">"):
            return self._text(text, index, indent)
        if text[:1] in ("{", "["):
            return self._flow(text, index, indent + 1)
        if not text or text.startswith("#"):
            return self._below(index, indent)
        if text[0] in "'\"":
            match = QUOTED.match(text)
            if not match:
                self.fail(index, "The quotes are not closed on the line, or text follows them. Write a long text as a "
                                 "block, which begins with '|'.")
            return scalar(match[1])
        plain = re.split(r"\s#", text)[0].strip()
        if re.search(r":(?:\s|$)", plain) or plain[0] in "%@`":
            self.fail(index, "The value has a colon or begins with a special character. Put it in quotes.")
        return scalar(plain)

    def _below(self, index: int, indent: int) -> Any:
        if self.next < len(self.lines) and ADDITIONS.match(self.lines[self.next]):
            return None
        below = self._peek()
        if below is None or self._indent(below) <= indent:
            self.fail(index, "The member has no value. Write it on the line, or indent it by two spaces on the next.")
        if self._is_in(indent + 2) is None:
            self.fail(below, f"The line is indented by {self._indent(below)} spaces. Indent it by {indent + 2}.")
        text = self.lines[below].strip()
        if text[0] in "{[":
            self.next += 1
            return self._flow(text, below, indent + 2)
        return self._block(indent + 2)

    def _text(self, header: str, index: int, indent: int) -> str:
        if not re.fullmatch(r"[|>][-+]?", header):
            self.fail(index, "The line has text after '|' or '>'. Write the text on the next line.")
        found: list[str] = []
        while self.next < len(self.lines):
            line = self.lines[self.next]
            if line.strip() and self._indent(self.next) < indent + 2:
                break
            found.append(line[indent + 2:])
            self.next += 1
        while found and not found[-1].strip():
            found.pop()
        if not found:
            self.fail(index, f"The block has no text. Indent it by {indent + 2} spaces.")
        joined = (" " if header[0] == ">" else "\n").join(found)
        return joined if header.endswith("-") else joined + "\n"

    def _flow(self, text: str, index: int, indent: int) -> Any:
        """A value in brackets. It may continue on further lines, which have at least this indentation."""
        tokens = self._tokens(text, index)
        while (depth := sum(BRACKETS.get(token, 0) for token in tokens)) > 0:
            if self.next >= len(self.lines) or self._indent(self.next) < indent or not self.lines[self.next].strip():
                self.fail(index, "A bracket is not closed. Close it at the end of the value.")
            tokens += self._tokens(self.lines[self.next].strip(), self.next)
            self.next += 1
        value = self._in_brackets(tokens, index)
        if depth < 0 or tokens:
            self.fail(index, "Text follows the closed bracket. Remove it, or put the whole value in quotes.")
        return value

    def _tokens(self, text: str, index: int) -> list[str]:
        """Brackets, commas, colons and scalars of a line."""
        tokens: list[str] = []
        start = 0
        while start < len(text):
            match = TOKEN.match(text, start)
            if not match:
                self.fail(index, f"The text from '{text[start:].strip()}' on is not a value. Put it in quotes.")
            if match[1].startswith("#"):
                break
            tokens.append(match[1].strip())
            start = match.end()
        return tokens

    def _in_brackets(self, tokens: list[str], index: int) -> Any:
        """Takes a value from the beginning of the tokens."""
        opening = tokens.pop(0)
        if opening not in BRACKETS:
            return scalar(opening)
        found: Object | List = Object() if opening == "{" else List()
        closing = "}" if opening == "{" else "]"
        while tokens and tokens[0] != closing:
            if isinstance(found, Object):
                name = str(scalar(tokens[0])) if tokens[0][0] in "'\"" else tokens[0]
                if len(tokens) < 3 or tokens[1] != ":" or tokens[2] in (",", "}", "]"):
                    self.fail(index, f"'{name}' has no value. Write 'name: value', with a space after the colon.")
                if name in found:
                    self.fail(index, f"'{name}' is in these brackets twice. Remove one of the two.")
                del tokens[:2]
                found[name] = self._in_brackets(tokens, index)
                found.lines[name] = index + 1
            else:
                found.append(self._in_brackets(tokens, index))
                found.lines.append(index + 1)
            if tokens and tokens[0] == ",":
                tokens.pop(0)
            elif tokens and tokens[0] != closing:
                self.fail(index, f"A comma is missing before '{tokens[0]}'. Write one, or put the value in quotes.")
        if not tokens:
            self.fail(index, "A bracket is not closed. Close it at the end of the value.")
        tokens.pop(0)
        return found
