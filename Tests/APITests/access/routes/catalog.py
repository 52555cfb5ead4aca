"""The classes of the routes of the catalog, which belongs to nobody."""

from ..forms import Routes
from ..rules import SignedIn

ROUTES: Routes = {
    "GET /v1/artists/search": SignedIn(status=422),
    "GET /v1/artists/top": SignedIn(status=422, query="timeRange=never"),
    "GET /v1/tracks/top": SignedIn(status=422, query="timeRange=never"),
    "GET /v1/search": SignedIn(status=422),
    "GET /v1/catalog/{source}/{type}/{id}": SignedIn(
        names={"source": "none", "type": "none", "id": "none"}, status=404),
}
