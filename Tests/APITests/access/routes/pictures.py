"""The classes of the routes of pictures of services."""

from ..forms import Routes
from ..rules import SignedIn

ROUTES: Routes = {
    "GET /v1/pictures/{picture}": SignedIn(names={"picture": "none"}, status=404),
}
