"""The operations of docs/openapi.yaml."""

import sys
from pathlib import Path

_REPOSITORY = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(_REPOSITORY / "scripts"))

from openapi_support.reader import Reader  # noqa: E402  (it is found by the line above)

_DOCUMENT = "docs/openapi.yaml"


def operations() -> list[str]:
    """All of them, such as `GET /v1/me`, in the order of their paths."""
    document = Reader((_REPOSITORY / _DOCUMENT).read_text(encoding="utf-8"), _DOCUMENT).document()
    return sorted(
        (f"{method.upper()} {path}" for path, item in document["paths"].items() for method in item
         if method != "parameters"), key=lambda operation: operation.split(" ")[::-1])


def unmatched(documented: list[str], routes: dict) -> list[str]:
    """The operations without a class, and the classes without an operation."""
    return [
        *(f"{operation} has no class in Tests/APITests/access/routes: who may do it?" for operation in documented
          if operation not in routes),
        *(f"{operation} has a class in Tests/APITests/access/routes, and docs/openapi.yaml does not have it"
          for operation in routes if operation not in documented)]
