"""The classes of the routes of previews."""

from ..forms import Routes, item
from ..rules import SignedIn

ROUTES: Routes = {
    "GET /v1/previews": SignedIn(status=422),
    "GET /v1/library/tracks/{id}/preview": item("track", 200),
}
