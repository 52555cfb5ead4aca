"""Judges of the messages to browsers that others have written: http-ece decrypts what Backline encrypts, py-vapid
verifies its tokens, and pywebpush is a second sender, by which the simulated push service is judged.

`push-probe` makes Backline's messages, and `upstream-sim` has the push service. scripts/test-push runs these tests.
"""

import base64
import json
import os
import random
import secrets
import sys
import tempfile
import time
import unittest
import urllib.request
from pathlib import Path

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02
from pywebpush import WebPushException, webpush

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "Tests" / "PythonSupport"))

from backline_test.processes import Program, isolated, run  # noqa: E402  (it is found by the line above)

PRODUCTS = Path(os.environ.get("BACKLINE_TEST_PRODUCTS", REPOSITORY / ".build" / "debug"))
SEED = int(os.environ.get("BACKLINE_TEST_SEED", "1"))
# As in Sources/Push.
LONGEST_MESSAGE = 2_700


def text_of(data: bytes) -> str:
    """Base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def bytes_of(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def public_bytes(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


class Browser:
    """What a browser has: its keys, and the address at its push service."""

    def __init__(self, endpoint: str):
        self.endpoint = endpoint
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.auth = secrets.token_bytes(16)

    def order(self, content: bytes, **more) -> dict:
        """What `push-probe` needs for a message."""
        return {
            "endpoint": self.endpoint, "p256dh": text_of(public_bytes(self.key)), "auth": text_of(self.auth),
            "content": base64.b64encode(content).decode(), "timeToLive": 3_600, **more}

    def opened(self, body: bytes) -> bytes:
        return http_ece.decrypt(body, private_key=self.key, auth_secret=self.auth, version="aes128gcm")


def messages(orders: list[dict]) -> list[dict]:
    """What Backline would send."""
    lines = "".join(json.dumps(order) + "\n" for order in orders)
    return [json.loads(line) for line in run(PRODUCTS / "push-probe", stdin=lines).splitlines()]


class BacklineMessages(unittest.TestCase):
    """Backline as the sender, judged by http-ece and py-vapid."""

    def test_http_ece_opens_every_message(self):
        print(f"seed {SEED}")
        chance = random.Random(SEED)
        lengths = [0, 1, 15, 16, 17, LONGEST_MESSAGE - 1, LONGEST_MESSAGE]
        lengths += [chance.randint(0, LONGEST_MESSAGE) for _ in range(493)]
        contents = [chance.randbytes(length) for length in lengths]
        # Zeros and delimiters at the end must not be taken for padding.
        contents += [b"\x00", b"\x02", b"\x01\x00\x00", b"\x02\x00", "Für lange Abende 🎵".encode()]
        browsers = [Browser("https://push.example.org/x") for _ in range(20)]
        pairs = [(browsers[number % len(browsers)], content) for number, content in enumerate(contents)]
        made = messages([browser.order(content) for browser, content in pairs])
        self.assertEqual(len(made), len(pairs))
        for (browser, content), message in zip(pairs, made, strict=True):
            body = base64.b64decode(message["body"])
            self.assertEqual(browser.opened(body), content)
            self.assertLessEqual(len(body), 4_096)
            self.assertEqual(message["headers"]["Content-Encoding"], "aes128gcm")

    def test_another_browser_cannot_open_a_message(self):
        first, second = Browser("https://push.example.org/x"), Browser("https://push.example.org/y")
        body = base64.b64decode(messages([first.order(b"hello")])[0]["body"])
        with self.assertRaises(Exception):
            second.opened(body)

    def test_py_vapid_accepts_the_tokens(self):
        endpoints = [
            "https://fcm.googleapis.com/fcm/send/abc", "https://web.push.apple.com/Qx", "https://a.example.org:8443/x"]
        before = time.time()
        made = messages([Browser(endpoint).order(b"x", topic="group-1") for endpoint in endpoints])
        keys = set()
        for endpoint, message in zip(endpoints, made, strict=True):
            header = message["headers"]["Authorization"]
            self.assertTrue(Vapid02.verify(header))
            token, key = header.removeprefix("vapid t=").split(",k=")
            keys.add(key)
            parts = token.split(".")
            self.assertEqual(json.loads(bytes_of(parts[0])), {"alg": "ES256", "typ": "JWT"})
            claims = json.loads(bytes_of(parts[1]))
            self.assertEqual(claims["aud"], endpoint.rsplit("/", endpoint.count("/") - 2)[0])
            self.assertEqual(claims["sub"], "mailto:push@example.org")
            self.assertTrue(before + 11 * 3_600 < claims["exp"] < time.time() + 13 * 3_600)
            self.assertEqual(len(bytes_of(parts[2])), 64)
            self.assertEqual(len(bytes_of(key)), 65)
            self.assertEqual(message["headers"]["Topic"], "group-1")
            self.assertEqual(message["headers"]["TTL"], "3600")
        self.assertEqual(len(keys), 1)

    def test_a_token_that_was_changed_is_refused(self):
        header = messages([Browser("https://push.example.org/x").order(b"x")])[0]["headers"]["Authorization"]
        token, key = header.removeprefix("vapid t=").split(",k=")
        head, claims, signature = token.split(".")
        changed = json.loads(bytes_of(claims)) | {"aud": "https://other.example.org"}
        forged = f"vapid t={head}.{text_of(json.dumps(changed).encode())}.{signature},k={key}"
        self.assertFalse(Vapid02.verify(forged))


class SimulatedPushService(unittest.TestCase):
    """The simulated push service as the receiver, judged by pywebpush."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="backline-push-")
        cls.addClassCleanup(folder.cleanup)
        command = [PRODUCTS / "upstream-sim", "--latency-ms", "0"]
        program = Program("upstream-sim", command, Path(folder.name), isolated({}))
        cls.addClassCleanup(program.stop)
        cls.address = program.wait_for("listening on").split()[-1]
        cls.vapid = Vapid02()
        cls.vapid.generate_keys()

    def ask(self, method: str, path: str, value=None):
        body = None if value is None else json.dumps(value).encode()
        request = urllib.request.Request(f"{self.address}/_sim/push/{path}", body, method=method)
        with urllib.request.urlopen(request) as response:
            return json.load(response)

    def subscribe(self, count: int = 1) -> list[dict]:
        key = text_of(public_bytes(self.vapid.private_key))
        return self.ask("POST", "subscriptions", {"applicationServerKey": key, "count": count})

    def send(self, subscription: dict, data: bytes, vapid: Vapid02 | None = None, **more):
        headers = more.pop("headers", {"Urgency": "high"})
        claims = {"sub": "mailto:push@example.org", **more.pop("claims", {})}
        return webpush(
            {"endpoint": subscription["endpoint"], "keys": subscription["keys"]}, data=data,
            vapid_private_key=vapid or self.vapid, vapid_claims=claims, ttl=600, headers=headers, **more)

    def test_it_opens_what_pywebpush_sends(self):
        chance = random.Random(SEED)
        subscriptions = self.subscribe(5)
        sent = {subscription["id"]: [] for subscription in subscriptions}
        for number in range(100):
            subscription = subscriptions[number % 5]
            data = chance.randbytes(chance.randint(1, 3_900))
            self.assertEqual(self.send(subscription, data).status_code, 201)
            sent[subscription["id"]].append(data)
        for subscription in subscriptions:
            shown = self.ask("GET", f"subscriptions/{subscription['id']}/messages")["shown"]
            self.assertEqual([base64.b64decode(message["base64"]) for message in shown], sent[subscription["id"]])
            self.assertEqual({(message["ttl"], message["urgency"]) for message in shown}, {(600, "high")})

    def refused(self, subscription: dict, **more) -> int:
        with self.assertRaises(WebPushException) as raised:
            self.send(subscription, b"x", **more)
        return raised.exception.response.status_code

    def test_it_verifies_the_sender(self):
        [subscription] = self.subscribe()
        other = Vapid02()
        other.generate_keys()
        self.assertEqual(self.refused(subscription, vapid=other), 400)
        self.assertEqual(self.refused(subscription, claims={"aud": "https://other.example.org"}), 403)
        self.assertEqual(self.refused(subscription, claims={"sub": "mailto:push@localhost"}), 403)
        self.assertEqual(self.refused(subscription, claims={"exp": int(time.time()) + 90_000}), 403)
        self.assertEqual(self.ask("GET", f"subscriptions/{subscription['id']}/messages")["counts"]["accepted"], 0)

    def test_topics_replace_messages_of_a_browser_that_is_offline(self):
        [subscription] = self.subscribe()
        path = f"subscriptions/{subscription['id']}"
        self.ask("POST", path, {"online": False})
        for data, topic in [(b"1", "a"), (b"2", "b"), (b"3", "a")]:
            self.send(subscription, data, headers={"Topic": topic})
        self.ask("POST", path, {"online": True})
        shown = self.ask("GET", f"{path}/messages")["shown"]
        self.assertEqual([message["text"] for message in shown], ["2", "3"])
        self.ask("POST", path, {"online": False})
        self.send(subscription, b"4")
        changed = self.ask("POST", path, {"online": True, "afterSeconds": 700})
        self.assertEqual(changed["counts"]["expired"], 1)
        self.ask("POST", path, {"end": True})
        self.assertEqual(self.refused(subscription), 410)


if __name__ == "__main__":
    unittest.main()
