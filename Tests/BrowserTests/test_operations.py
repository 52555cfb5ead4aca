"""The Operations page, for administrators only."""

import time

import pytest
from playwright.sync_api import expect

from support.accessibility import assert_accessible
from backline_test.processes import TIMEOUT


@pytest.fixture
def operator(visit, shared_backline):
    def make(backline=shared_backline, **context):
        return visit(backline, options=("--admin",), **context).sign_in("/operations")

    return make


def kill_a_job(backline, person) -> str:
    """Makes a job a dead letter: its worker dies three times while it runs alone as a suspect. Returns its id."""
    job = backline.ask(person, "POST", "/v1/jobs", {"kind": "diagnostics.echo", "payload": {"sleepMs": 600_000}})["id"]
    runs: set[str] = set()

    def wait_for(holds) -> dict:
        deadline = time.monotonic() + TIMEOUT
        while time.monotonic() < deadline:
            answer = backline.ask(person, "GET", f"/v1/jobs/{job}")
            if holds(answer):
                return answer
            time.sleep(0.05)
        raise AssertionError(f"{job} stays {answer['state']}")

    # The first death makes the job a suspect.
    for _ in range(4):
        running = wait_for(lambda answer: answer["state"] == "running" and answer["startedAt"] not in runs)
        runs.add(running["startedAt"])
        backline.worker.kill()
        backline.start_worker()
    wait_for(lambda answer: answer["state"] == "failed")
    return job


def test_live_numbers_workers_and_permits(operator, visit, shared_backline):
    ada = visit().at_artists(shared_backline.simulator.artists("popular", 2))
    ada.find_concerts()
    expect(ada.shows.first).to_be_visible()
    root = operator()
    expect(root.page.get_by_role("navigation", name="Main").get_by_role("link", name="Operations")).to_have_attribute(
        "aria-current", "page")
    workers = root.page.get_by_role("region", name="Workers", exact=True)
    expect(workers.get_by_role("row")).to_have_count(2)
    expect(workers.get_by_role("rowheader", name="concert-worker-1")).to_be_visible()
    permits = root.page.get_by_role("region", name="Permits for requests to other services")
    expect(permits.get_by_role("rowheader", name="ticketmaster")).to_be_visible()
    expect(root.page.get_by_role("region", name="Jobs by kind and state").get_by_role("row")).not_to_have_count(1)
    expect(root.page.get_by_text("There are no dead letters.")).to_be_visible()
    as_of = root.page.get_by_text("As of ")
    first = as_of.inner_text()
    expect(as_of).not_to_have_text(first)


def test_charts_have_a_summary_and_a_table(operator):
    root = operator()
    for title in (
        "Throughput", "Run time", "Time from queue to worker", "Oldest job in the queue", "Permits", "Workers"):
        chart = root.page.locator("figure").filter(has=root.page.get_by_role("heading", name=title, exact=True))
        expect(chart.locator(".chart-summary")).not_to_be_empty()
        summary = chart.locator(".chart-summary").inner_text()
        expect(chart.get_by_role("img")).to_have_attribute("aria-label", summary)
        chart.locator("summary").click()
        expect(chart.get_by_role("table")).to_be_visible()


def test_a_dead_letter_is_requeued(operator, own_backline):
    backline = own_backline(environment={
        "BACKLINE_JOBS_LEASE_SECONDS": "3", "BACKLINE_JOBS_HEARTBEAT_SECONDS": "1"})
    root = operator(backline)
    expect(root.page.get_by_text("There are no dead letters.")).to_be_visible()
    job = kill_a_job(backline, root.person)
    letter = root.page.get_by_role("listitem").filter(has_text=job)
    expect(letter).to_contain_text(root.person.name)
    expect(letter).to_contain_text("poison")
    letter.get_by_text("3 failed attempts").click()
    expect(letter).to_contain_text("workerDied")
    assert_accessible(root.page, "a dead letter")
    letter.get_by_role("button", name="Requeue").click()
    expect(letter).to_have_count(0)
    root.hears("diagnostics.echo is queued again.")
    assert backline.ask(root.person, "GET", f"/v1/jobs/{job}")["state"] in ("queued", "running")


def fail_jobs(backline, person, numbers: range) -> list[str]:
    """Makes dead letters in an installation with one attempt for each job. Returns their ids, newest first."""
    ids = []
    for number in numbers:
        payload = {"number": number, "failAttempts": 1}
        job = backline.ask(person, "POST", "/v1/jobs", {"kind": "diagnostics.echo", "payload": payload})["id"]
        deadline = time.monotonic() + TIMEOUT
        while backline.ask(person, "GET", f"/v1/jobs/{job}")["state"] != "failed":
            assert time.monotonic() < deadline, f"{job} does not fail"
            time.sleep(0.02)
        ids.insert(0, job)
    return ids


def test_open_tables_and_dead_letters_fit_a_phone(operator, own_backline):
    backline = own_backline(environment={"BACKLINE_JOBS_MAXIMUM_ATTEMPTS": "1"})
    root = operator(backline, viewport={"width": 360, "height": 900})
    fail_jobs(backline, root.person, range(3))
    letters = root.page.locator(".dead-letters > li")
    expect(letters).to_have_count(3)
    letters.first.locator("summary").click()
    for summary in root.page.locator("figure summary").all():
        summary.click()
    assert_accessible(root.page, "open tables and dead letters")


def requeue(root, job: str):
    return root.page.get_by_role("listitem").filter(has_text=job).get_by_role("button", name="Requeue")


def test_the_list_of_dead_letters_stays_while_a_person_reads_it(operator, own_backline):
    backline = own_backline(environment={"BACKLINE_JOBS_MAXIMUM_ATTEMPTS": "1"})
    root = operator(backline)
    expect(root.page.get_by_text("There are no dead letters.")).to_be_visible()
    jobs = fail_jobs(backline, root.person, range(22))
    letters = root.page.locator(".dead-letters > li")
    expect(letters).to_have_count(20)
    root.button("Load more").click()
    expect(letters).to_have_count(22)
    changes = root.button("Show changes")

    def numbers_are_read_again():
        for _ in range(2):
            with root.page.expect_response("**/v1/admin/overview"):
                pass

    # Without a worker a requeued job stays in the queue.
    backline.stop_worker()
    # The administrator's own requeue causes no notice.
    requeue(root, jobs[20]).focus()
    root.page.keyboard.press("Enter")
    expect(letters).to_have_count(21)
    expect(requeue(root, jobs[21])).to_be_focused()
    numbers_are_read_again()
    expect(letters).to_have_count(21)
    expect(requeue(root, jobs[21])).to_be_focused()
    expect(changes).to_be_hidden()

    # A change by someone else causes a notice, and is shown on request.
    backline.ask(root.person, "POST", f"/v1/admin/jobs/{jobs[0]}/requeue")
    expect(changes).to_be_visible()
    root.hears("The list of dead letters has changed.")
    expect(letters).to_have_count(21)
    expect(requeue(root, jobs[21])).to_be_focused()
    assert_accessible(root.page, "dead letters with changes")
    changes.click()
    expect(letters.filter(has_text=jobs[0])).to_have_count(0)
    expect(letters).to_have_count(20)
    expect(requeue(root, jobs[1])).to_be_focused()
    expect(changes).to_be_hidden()


def test_only_administrators_see_it(visit):
    ada = visit().sign_in("/operations")
    expect(ada.page.get_by_role("heading", name="For administrators only")).to_be_visible()
    expect(ada.page.get_by_role("navigation", name="Main").get_by_role("link", name="Operations")).to_have_count(0)
    assert_accessible(ada.page, "not for them")


@pytest.mark.parametrize("width", [360, 1440])
def test_axe_finds_nothing(operator, width):
    root = operator(viewport={"width": width, "height": 900})
    expect(root.page.get_by_role("heading", name="Throughput")).to_be_visible()
    root.page.locator("figure summary").first.click()
    assert_accessible(root.page, "operations")
