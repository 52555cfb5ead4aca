"""The class of every route, written by hand, with the smallest body that is valid: its status is then about access.

Each domain has a file with the classes of its routes, `ROUTES`, and perhaps those of routes that the API's document
does not describe, `BESIDE`. Operations that would call a service, and wait for a worker, get a query or a body that is
refused after the check who asks. No worker runs.
"""

from collections.abc import Iterable
from importlib import import_module
from pkgutil import iter_modules

from ..forms import Routes


def joined(parts: Iterable[Routes]) -> Routes:
    """The classes of several parts together. A route is in one part only."""
    found: Routes = {}
    for part in parts:
        if doubled := found.keys() & part.keys():
            raise ValueError(f"several files in Tests/APITests/access/routes have a class of {', '.join(sorted(doubled))}")
        found |= part
    return found


_DOMAINS = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]

ROUTES = joined(domain.ROUTES for domain in _DOMAINS)
BESIDE = joined(getattr(domain, "BESIDE", {}) for domain in _DOMAINS)
