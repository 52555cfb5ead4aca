"""The classes of the routes of jobs and event streams."""

from ..forms import Routes, item
from ..rules import REACTED, SHARED, SignedIn

ROUTES: Routes = {
    "POST /v1/jobs": SignedIn(status=202, body={"kind": "diagnostics.echo"}),
    "GET /v1/jobs": SignedIn(status=200),
    "POST /v1/jobs/batch": SignedIn(status=202, body={"jobs": [{"kind": "diagnostics.echo"}]}),
    "GET /v1/jobs/summary": SignedIn(status=200),
    "GET /v1/jobs/{id}": item("job", 200),
    "POST /v1/jobs/{id}/cancel": item("job", 200),
    "POST /v1/jobs/{id}/requeue": item("deadLetter", 202),
    "GET /v1/events": SignedIn(status=200, is_endless=True),
    # Everything since the viewer came. Its notifications have the name of each target who has reacted.
    "GET /v1/changes": (
        SignedIn(status=200, shows=REACTED, shows_share=SHARED),
        SignedIn(status=200, query="since=<since>", shows=REACTED, shows_share=SHARED),
    ),
}
