"""The classes of the routes of the operation of an installation."""

from ..forms import Routes
from ..rules import THINGS, Administrator, Open

ROUTES: Routes = {
    "GET /healthz": Open(status=200),
    "GET /readyz": Open(status=200),
    "GET /metrics": (Open(status=200, is_local=True), Administrator(status=200)),
    "GET /v1/admin/overview": Administrator(status=200),
    "GET /v1/admin/workers": Administrator(status=200),
    "GET /v1/admin/permits": Administrator(status=200),
    "GET /v1/admin/series": Administrator(status=200),
    "GET /v1/admin/dead-letters": Administrator(status=200),
    "POST /v1/admin/jobs/{id}/requeue": Administrator(names={"id": "deadLetter"}, status=202, targets=THINGS),
}
