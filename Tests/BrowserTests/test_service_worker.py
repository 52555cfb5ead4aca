"""The service worker: what it shows for a push, and what it opens after a press.

A headless browser has neither a push service nor notifications. The messages come from its debugger, and what the worker
asks of the browser is noted instead of shown.
"""

import json

import pytest

NOTES = """() => {
    self.noted = [];
    ServiceWorkerRegistration.prototype.showNotification = async (title, options) => { noted.push({ title, ...options }); };
    Clients.prototype.openWindow = async (address) => { noted.push({ opened: address }); };
    WindowClient.prototype.focus = async function () { noted.push({ focused: this.url }); };
}"""
PRESS = """async (data) => {
    const work = [];
    const event = Object.assign(new Event("notificationclick"), {
        notification: { data, close: () => noted.push("closed") }, waitUntil: (promise) => work.push(promise),
    });
    dispatchEvent(event);
    await Promise.all(work);
}"""


@pytest.fixture
def worker(visit, shared_backline):
    """A page with the service worker, and a function that delivers a push and returns what the worker shows."""
    ada = visit().open("/sign-in")
    debugger = ada.context.new_cdp_session(ada.page)
    registrations: list[dict] = []
    debugger.on("ServiceWorker.workerRegistrationUpdated", lambda event: registrations.extend(event["registrations"]))
    debugger.send("ServiceWorker.enable")
    with ada.context.expect_event("serviceworker") as started:
        ada.page.evaluate("""async () => {
            await navigator.serviceWorker.register("/service-worker.js", { scope: "/", updateViaCache: "none" });
            await navigator.serviceWorker.ready;
        }""")
    running = started.value
    running.evaluate(NOTES)

    def push(data: str) -> dict:
        count = running.evaluate("noted.length")
        debugger.send("ServiceWorker.deliverPushMessage", {
            "origin": shared_backline.address, "registrationId": registrations[-1]["registrationId"], "data": data})
        return running.evaluate("""async (count) => {
            while (noted.length === count) await new Promise((resolve) => setTimeout(resolve, 10));
            return noted.at(-1);
        }""", count)

    ada.push, ada.worker = push, running
    return ada


def message(**notification) -> str:
    return json.dumps({"web_push": 8030, "notification": notification})


def test_every_push_shows_a_notification(worker):
    whole = worker.push(message(
        title="Grace follows you", body="Hello", tag="a-tag", lang="en", navigate="https://example.com/people/followers?x=1"))
    # The site may have another name here than the one it is configured with.
    assert whole["data"] == {"path": "/people/followers?x=1"}
    assert (whole["title"], whole["body"], whole["tag"], whole["lang"]) == ("Grace follows you", "Hello", "a-tag", "en")
    assert worker.push(message(title="Only a title", navigate="/feed"))["data"] == {"path": "/feed"}
    for unreadable in ("not JSON", "null", "[]", json.dumps({"web_push": 1, "notification": {"title": "x"}}),
                       message(title=""), message(title=7), message(body="x")):
        shown = worker.push(unreadable)
        assert (shown["title"], shown["body"]) == ("Backline", "You have a new notification."), unreadable
        assert shown["data"] == {"path": "/notifications"}


def test_a_press_opens_the_page_or_moves_to_it(worker):
    worker.worker.evaluate(PRESS, {"path": "/sign-in"})
    assert worker.worker.evaluate("noted.splice(0)") == ["closed", {"focused": worker.page.url}]
    worker.worker.evaluate(PRESS, {"path": "/people/followers"})
    address = worker.backline.address
    assert worker.worker.evaluate("noted.splice(0)") == ["closed", {"opened": f"{address}/people/followers"}]
    # The address of another site stays a path of this one.
    shown = worker.push(message(title="x", navigate="https://example.com//example.org/"))
    worker.worker.evaluate(PRESS, shown["data"])
    assert worker.worker.evaluate("noted.at(-1)") == {"opened": f"{address}//example.org/"}
    # What is not the address of a page cannot continue the name of this site.
    for other in ("mailto:.example.org", "javascript:alert(1)", "data:text/html,x"):
        assert worker.push(message(title="x", navigate=other))["data"] == {"path": "/notifications"}
    worker.worker.evaluate(PRESS, None)
    assert worker.worker.evaluate("noted.at(-1)") == {"opened": f"{address}/notifications"}


def test_the_worker_answers_no_requests(worker):
    # Pages come from the gateway, so that nobody sees an old version of them.
    assert worker.page.evaluate("fetch('/healthz').then((answer) => answer.status)") == 200
    policy = worker.context.request.get(f"{worker.backline.address}/service-worker.js").headers["content-security-policy"]
    assert policy == "default-src 'none'; img-src 'self'"
