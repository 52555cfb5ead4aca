"""The ListenBrainz API, as used by ListenBrainz's own Python client."""

import time

import liblistenbrainz
import pytest
from liblistenbrainz.errors import InvalidAuthTokenException


@pytest.fixture
def client(shared_backline):
    person = shared_backline.add_person()
    token = shared_backline.ask(
        person, "POST", "/v1/me/tokens", {"name": "script", "scope": "listening"})["token"]
    made = liblistenbrainz.ListenBrainz(api_base_url=shared_backline.address)
    made.set_auth_token(token)
    made.name = person.name
    return made


def test_a_client_sends_reads_and_deletes_listens(client):
    start = int(time.time()) - 10_000
    listens = [
        liblistenbrainz.Listen(
            track_name=f"Song {number}", artist_name="Ada", release_name="Album", listened_at=start + 300 * number,
            tracknumber=number, additional_info={"duration_ms": 180_000})
        for number in range(1, 6)]
    assert client.submit_single_listen(listens[0]) == {"status": "ok"}
    assert client.submit_multiple_listens(listens) == {"status": "ok"}
    assert client.get_user_listen_count(client.name) == 5
    found = client.get_listens(client.name)
    assert [listen.track_name for listen in found] == ["Song 5", "Song 4", "Song 3", "Song 2", "Song 1"]
    assert found[0].release_name == "Album" and found[0].listened_at == start + 1_500
    assert [listen.track_name for listen in client.get_listens(client.name, min_ts=start + 300, count=2)] == [
        "Song 3", "Song 2"]
    client.delete_listen(found[0])
    assert client.get_user_listen_count(client.name) == 4
    artists = client.get_user_artists(client.name)
    assert artists["payload"]["artists"][0]["artist_name"] == "Ada"
    assert artists["payload"]["artists"][0]["listen_count"] == 4


def test_a_client_reports_what_is_playing(client):
    assert client.get_playing_now(client.name) is None
    client.submit_playing_now(liblistenbrainz.Listen(track_name="Now", artist_name="Ada"))
    assert client.get_playing_now(client.name).track_name == "Now"


def test_a_wrong_token_is_refused(shared_backline):
    client = liblistenbrainz.ListenBrainz(api_base_url=shared_backline.address)
    with pytest.raises(InvalidAuthTokenException):
        client.set_auth_token("00000000-0000-4000-8000-000000000000")
