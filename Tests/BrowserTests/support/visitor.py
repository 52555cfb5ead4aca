"""A person in a browser, with the actions of the pages."""

from playwright.sync_api import BrowserContext, Locator, Page, expect

from .installation import Installation, Person

# Collects what the page announces to screen readers, from before its first script runs. A sentence stays in the page
# only for seconds, and a busy machine may not look in that time.
LISTEN = """() => {
    window.heard = [];
    document.addEventListener("readystatechange", () => {
        if (document.readyState !== "interactive") return;
        const region = document.getElementById("announcer");
        if (!region) return;
        new MutationObserver((changes) => {
            for (const { addedNodes } of changes) for (const { textContent } of addedNodes) heard.push(textContent);
        }).observe(region, { childList: true });
    });
}"""
# One transparent pixel.
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c6360000000000200015e221bc30000000049454e44ae426082")


class Visitor:
    """A browser window of one person, who is initially not signed in."""

    def __init__(self, backline: Installation, context: BrowserContext, person: Person):
        self.backline = backline
        self.person = person
        self.context = context
        self.page: Page = context.new_page()
        self.page.add_init_script(f"({LISTEN})()")
        self.errors: list[str] = []
        # The requests that the browser reported as refused or failed: status and address.
        self.refused: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._note)

    def _note(self, message) -> None:
        if message.type != "error":
            return
        # A browser reports every refused or failed request as an error, and some tests cause them on purpose.
        if "Failed to load resource" in message.text:
            self.refused.append(f"{message.text} {message.location['url']}")
        else:
            self.errors.append(message.text)

    # Navigation

    def open(self, path: str) -> "Visitor":
        self.page.goto(self.backline.address + path)
        return self

    def sign_in(self, then: str = "/feed") -> "Visitor":
        """Signs in with the token through the API, and opens a page."""
        self.begin_session()
        return self.open(then)

    def begin_session(self) -> None:
        """Signs in without opening a page."""
        self.context.request.post(
            f"{self.backline.address}/v1/session", data={"token": self.person.token},
            headers={"Origin": self.backline.address})

    def at_artists(self, names: list[str]) -> "Visitor":
        """Signs in and opens the ranked list, with these artists in it."""
        self.backline.rank(self.person, names)
        self.sign_in("/explore/concerts")
        self.sees_artists(names)
        return self

    # Parts of the pages

    @property
    def heading(self) -> Locator:
        return self.page.get_by_role("heading", level=1)

    @property
    def artists(self) -> Locator:
        return self.page.get_by_role("list", name="Your artists, best first").get_by_role("listitem")

    def artist(self, name: str) -> Locator:
        return self.artists.filter(has_text=name)

    @property
    def shows(self) -> Locator:
        return self.page.locator("main article")

    def button(self, name: str, **options) -> Locator:
        return self.page.get_by_role("button", name=name, **options)

    # Actions

    def add(self, name: str) -> None:
        self.page.get_by_label("Add an artist by name").fill(name)
        self.page.keyboard.press("Enter")

    def find_concerts(self) -> None:
        self.button("Find concerts").click()
        expect(self.heading).to_have_text("Concerts")

    def choose(self, label: str) -> None:
        self.page.get_by_role("radio", name=label).check()

    # Observations

    def hears(self, text: str, whole: bool = True) -> None:
        """Waits until the page announces this sentence, or one with this text, after the one that was heard last."""
        self.page.wait_for_function("""([text, whole]) => {
            const index = heard.findIndex((sentence) => whole ? sentence === text : sentence.includes(text));
            if (index < 0) return false;
            heard.splice(0, index + 1);
            return true;
        }""", arg=[text, whole])

    def sees_artists(self, names: list[str]) -> None:
        spoken = [f"{name}, ranked number {rank}" for rank, name in enumerate(names, start=1)]
        expect(self.artists.locator("> .visually-hidden")).to_have_text(spoken)
        # The gateway has stored them as well.
        expect(self.page.get_by_role("list", name="Your artists, best first")).to_have_attribute("aria-busy", "false")

    def saved_artists(self) -> list[str]:
        answer = self.backline.ask(self.person, "GET", "/v1/artists")
        return [artist["name"] for artist in answer["artists"]]
