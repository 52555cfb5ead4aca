"""The settings of notifications, and pushes to this browser."""

import json
import time

import pytest
from playwright.sync_api import Locator, expect

from support.accessibility import assert_accessible, assert_nothing_cut_off
from support.people import follow, named

WIDTHS = pytest.mark.parametrize("width", [360, 768, 1440])
PAGE = "/profile/notifications"
PATIENCE = 120
# A headless browser has no push service. This one is subscribed to the simulated service instead, once a page asks.
SUBSCRIBED = """(subscription) => {
    const made = {
        toJSON: () => subscription,
        unsubscribe: async () => { localStorage.removeItem("backline.test"); return true; },
    };
    PushManager.prototype.subscribe = async function (options) {
        if (!options.userVisibleOnly || !options.applicationServerKey) throw new TypeError("options");
        localStorage.setItem("backline.test", "subscribed");
        return made;
    };
    PushManager.prototype.getSubscription = async () => localStorage.getItem("backline.test") ? made : null;
}"""
# What an iPhone has outside of the Home Screen.
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile Safari/604.1"


def switch(visitor) -> Locator:
    return visitor.page.get_by_role("switch", name="Notifications on this device")


def opened(visitor, permission: str = "granted"):
    visitor.context.grant_permissions(["notifications"])
    # A headless browser grants it, and still reports that it was denied.
    visitor.page.add_init_script(f"Object.defineProperty(Notification, 'permission', {{ get: () => '{permission}' }})")
    visitor.sign_in(PAGE)
    expect(visitor.page.get_by_role("heading", name="This device")).to_be_visible()
    return visitor


@WIDTHS
def test_choices_are_saved_at_once(visit, shared_backline, width):
    # Whoever is alone has nobody to be notified of.
    shared_backline.add_person()
    ada = visit(viewport={"width": width, "height": 900}).sign_in("/profile/settings")
    ada.page.get_by_role("link", name="Notification settings").click()
    expect(ada.heading).to_have_text("Notification settings")
    followers = ada.page.get_by_role("group", name="New followers")
    expect(followers.get_by_role("checkbox", name="On devices")).to_be_checked()
    assert_accessible(ada.page, f"notification settings at {width} px")
    assert_nothing_cut_off(ada.page, f"notification settings at {width} px")
    followers.get_by_role("checkbox", name="On devices").press("Space")
    ada.hears("Saved.")
    ada.page.get_by_role("radio", name="People I follow", exact=True).check()
    ada.hears("Saved.")
    ada.page.get_by_label("Pause pushes at certain hours").check()
    ada.page.get_by_label("From").fill("23:15")
    ada.page.get_by_label("To", exact=True).fill("23:15")
    ada.button("Save", exact=True).click()
    expect(ada.page.get_by_text("Choose two different times.")).to_be_visible()
    ada.page.get_by_label("To", exact=True).fill("06:45")
    ada.page.keyboard.press("Enter")
    ada.hears("Saved.")
    assert_accessible(ada.page, f"quiet hours at {width} px")
    assert_nothing_cut_off(ada.page, f"quiet hours at {width} px")
    settings = shared_backline.ask(ada.person, "GET", "/v1/notifications/settings")
    assert settings["quietHours"] == {"start": "23:15", "end": "06:45"} and settings["policy"] == "followed"
    channels = {one["kind"]: one["channels"] for one in settings["kinds"]}
    assert "webPush" not in channels["follow"] and "webPush" in channels["reaction"]
    ada.page.reload()
    expect(followers.get_by_role("checkbox", name="On devices")).not_to_be_checked()
    expect(ada.page.get_by_label("From")).to_have_value("23:15")
    ada.page.get_by_label("Pause pushes at certain hours").uncheck()
    ada.button("Save", exact=True).click()
    ada.hears("Saved.")
    assert shared_backline.ask(ada.person, "GET", "/v1/notifications/settings")["quietHours"] is None


def test_a_choice_that_was_not_saved_is_taken_back(visit):
    ada = visit().sign_in(PAGE)
    box = ada.page.get_by_role("group", name="New followers").get_by_role("checkbox", name="In the list")
    expect(box).to_be_checked()
    ada.page.route("**/v1/notifications/settings", lambda route: route.fulfill(
        status=500, json={"code": "internal", "detail": "Something failed."},
        headers={"Content-Type": "application/problem+json"}))
    box.click()
    expect(ada.page.get_by_role("alert").filter(has_text="Something failed.")).to_be_visible()
    expect(box).to_be_checked()


def test_a_site_without_https_has_no_switch(visit):
    ada = visit()
    ada.page.add_init_script("Object.defineProperty(window, 'isSecureContext', { value: false })")
    opened(ada)
    expect(ada.page.get_by_text("Browsers receive notifications only from sites with an https address.")).to_be_visible()
    expect(switch(ada)).to_have_count(0)
    assert_accessible(ada.page, "a site without https")


def test_an_iphone_needs_the_home_screen(visit):
    ada = visit(user_agent=IPHONE, viewport={"width": 390, "height": 844})
    ada.page.add_init_script("delete window.PushManager")
    opened(ada)
    expect(ada.page.get_by_text("“Add to Home Screen”")).to_be_visible()
    expect(switch(ada)).to_have_count(0)
    assert_accessible(ada.page, "an iPhone outside of the Home Screen")
    assert_nothing_cut_off(ada.page, "an iPhone outside of the Home Screen")


def test_another_browser_without_pushes_says_so(visit):
    ada = visit()
    ada.page.add_init_script("delete window.PushManager")
    opened(ada)
    expect(ada.page.get_by_text("This browser cannot receive notifications.")).to_be_visible()
    expect(switch(ada)).to_have_count(0)


def test_a_person_who_has_blocked_notifications_sees_how_to_allow_them(visit):
    ada = opened(visit(), permission="denied")
    expect(ada.page.get_by_text("You have blocked notifications from this site")).to_be_visible()
    expect(switch(ada)).to_have_count(0)


def test_without_a_key_nobody_can_subscribe(visit):
    # No worker of this installation makes the key.
    ada = opened(visit())
    expect(ada.page.get_by_text("Backline is preparing notifications on devices.")).to_be_visible()
    expect(switch(ada)).to_have_count(0)
    with ada.page.expect_response("**/v1/notifications/web-push"):
        ada.button("Check again").click()


def with_key(ada, backline, permission: str = "granted"):
    """Opens the settings once a worker has made the key."""
    end = time.monotonic() + PATIENCE
    while backline.ask(ada.person, "GET", "/v1/notifications/web-push")["state"] != "ready":
        assert time.monotonic() < end
        time.sleep(0.1)
    return opened(ada, permission)


def test_no_page_asks_for_a_permission_by_itself(visit, setup_backline):
    ada = visit(setup_backline)
    ada.page.add_init_script("""
        window.asked = 0;
        Notification.requestPermission = async () => { window.asked += 1; return "default"; };
    """)
    with_key(ada, setup_backline, permission="default")
    expect(switch(ada)).not_to_be_checked()
    assert ada.page.evaluate("asked") == 0
    switch(ada).press("Space")
    expect(ada.page.get_by_role("alert").filter(has_text="Your browser asked, and got no answer.")).to_be_visible()
    expect(switch(ada)).not_to_be_checked()
    assert ada.page.evaluate("asked") == 1


def test_a_push_service_that_cannot_be_reached_is_reported(visit, setup_backline):
    ada = visit(setup_backline)
    ada.page.add_init_script("""
        PushManager.prototype.subscribe = async () => { throw new DOMException("no service", "AbortError"); };
    """)
    with_key(ada, setup_backline)
    switch(ada).click()
    expect(ada.page.get_by_role("alert").filter(has_text="could not reach its push service")).to_be_visible()
    expect(switch(ada)).not_to_be_checked()
    assert setup_backline.ask(ada.person, "GET", "/v1/me/push-targets")["items"] == []


def messages(backline, subscription: dict) -> list[dict]:
    """What the simulated browser has shown."""
    shown = backline.simulator.push.ask("GET", f"subscriptions/{subscription['id']}/messages")["shown"]
    return [json.loads(one["text"]) for one in shown]


def test_pushes_reach_this_device_until_they_end(visit, setup_backline):
    ada, grace = visit(setup_backline), named(visit, setup_backline, "Grace Hopper")
    [subscription] = setup_backline.simulator.push.ask("POST", "subscriptions", {})
    ada.page.add_init_script(f"({SUBSCRIBED})({json.dumps({key: subscription[key] for key in ('endpoint', 'keys')})})")
    with_key(ada, setup_backline)
    expect(ada.page.get_by_text("Nowhere yet.")).to_be_visible()
    switch(ada).press("Space")
    ada.hears("This device shows notifications now.")
    expect(switch(ada)).to_be_checked()
    targets = ada.page.get_by_role("region", name="Devices and topics").get_by_role("listitem")
    expect(targets).to_contain_text("This device")
    assert_accessible(ada.page, "a device that gets pushes")
    assert_nothing_cut_off(ada.page, "a device that gets pushes")
    follow(setup_backline, grace.person, ada.person)
    end = time.monotonic() + PATIENCE
    while not (shown := messages(setup_backline, subscription)):
        assert time.monotonic() < end
        time.sleep(0.1)
    assert shown[0]["web_push"] == 8030
    assert shown[0]["notification"]["title"] == "Grace Hopper follows you"
    # Each start of a page posts the subscription again.
    with ada.page.expect_response(lambda answer: "/v1/me/push-targets/" in answer.url
                                  and answer.request.method == "PUT") as confirmed:
        ada.open("/profile")
    assert confirmed.value.status == 200
    # Another device of the person ends it.
    [target] = setup_backline.ask(ada.person, "GET", "/v1/me/push-targets")["items"]
    setup_backline.ask(ada.person, "DELETE", f"/v1/me/push-targets/{target['id']}")
    ada.open("/notifications")
    ada.hears("Notifications have stopped on this device.", whole=False)
    expect(ada.page.get_by_role("heading", name="Notifications have stopped on this device")).to_be_visible()
    assert_accessible(ada.page, "pushes that have stopped")
    assert_nothing_cut_off(ada.page, "pushes that have stopped")
    ada.page.get_by_role("link", name="Switch them on again").click()
    expect(ada.page.get_by_text("Push has stopped on this device")).to_be_visible()
    expect(switch(ada)).not_to_be_checked()
    switch(ada).click()
    ada.hears("This device shows notifications now.")
    # The person ends it here.
    switch(ada).click()
    ada.hears("This device no longer shows notifications.")
    expect(targets).to_have_text("Nowhere yet.")
    assert setup_backline.ask(ada.person, "GET", "/v1/me/push-targets")["items"] == []


def test_a_topic_of_ntfy_is_added_and_removed(visit, shared_backline):
    ada = visit().sign_in(PAGE)
    ada.page.get_by_text("Add an ntfy topic").click()
    ada.page.get_by_label("Server").fill(f"{shared_backline.simulator.address}/ntfy")
    ada.button("Add topic").click()
    expect(ada.page.get_by_text("Enter a topic.")).to_be_visible()
    topic = ada.page.get_by_label("Topic", exact=True)
    expect(topic).to_be_focused()
    topic.fill("two words")
    ada.button("Add topic").click()
    expect(topic).to_have_attribute("aria-invalid", "true")
    assert_accessible(ada.page, "a topic that is refused")
    topic.fill("backline-4f1c2a9d7e")
    ada.page.get_by_label("Access token (optional)").fill("tk_demo")
    ada.page.keyboard.press("Enter")
    ada.hears("The topic was added.")
    expect(topic).to_have_value("")
    targets = ada.page.get_by_role("region", name="Devices and topics").get_by_role("listitem")
    expect(targets).to_contain_text("A topic on 127.0.0.1")
    assert_nothing_cut_off(ada.page, "a topic")
    targets.get_by_role("button", name="Remove A topic on 127.0.0.1").click()
    ada.page.get_by_role("dialog").get_by_role("button", name="Remove", exact=True).click()
    ada.hears("Removed.")
    expect(targets).to_have_text("Nowhere yet.")
    expect(ada.page.get_by_role("heading", name="Devices and topics")).to_be_focused()


def test_the_site_can_be_installed(visit, shared_backline):
    ada = visit().open("/sign-in")
    manifest = json.loads(shared_backline.read("/manifest.webmanifest"))
    assert manifest["display"] == "standalone" and manifest["scope"] == "/"
    sizes = ada.page.evaluate("""(icons) => Promise.all(icons.map(async ({ src, sizes }) => {
        const image = new Image();
        image.src = src;
        await image.decode();
        return [sizes, `${image.naturalWidth}x${image.naturalHeight}`];
    }))""", [icon for icon in manifest["icons"] if icon["type"] == "image/png"])
    assert len(sizes) == 3 and all(named == real for named, real in sizes), sizes
