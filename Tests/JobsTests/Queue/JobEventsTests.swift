import Contracts
import Model
import TestSupport
import Testing

@testable import Jobs

@Suite("Waking those who wait", .timeLimit(.minutes(5)))
struct JobEventsTests {
    private let farOff = ContinuousClock.now.advanced(by: .seconds(3_600))

    @Test("A signal wakes the job's waiters and no others, and one that came before counts")
    func wakes() async {
        let events = JobEvents()
        let (first, second, other) = (
            events.waiter(forJob: "a"), events.waiter(forJob: "a"), events.waiter(forJob: "b")
        )
        events.changed(jobID: "a", userID: "u")
        await first.wait(until: farOff)
        await second.wait(until: farOff)
        let deadline = ContinuousClock.now.advanced(by: .milliseconds(50))
        await other.wait(until: deadline)
        #expect(ContinuousClock.now >= deadline)
    }

    @Test("After a wait that was signalled the next lasts until there is another signal")
    func noSpuriousWake() async {
        let events = JobEvents()
        let waiter = events.waiter(forJob: "a")
        for _ in 0..<3 {
            events.changed(jobID: "a", userID: "u")
            await waiter.wait(until: farOff)
            let deadline = ContinuousClock.now.advanced(by: .milliseconds(50))
            await waiter.wait(until: deadline)
            #expect(ContinuousClock.now >= deadline)
        }
    }

    @Test("A waiter that is given up is forgotten")
    func forgets() async {
        let events = JobEvents()
        do {
            let waiter = events.waiter(forJob: "a")
            let another = events.waiter(forJob: "a")
            #expect(events.awaitedJobs == ["a"])
            events.changed(jobID: "a", userID: "u")
            await waiter.wait(until: farOff)
            _ = another
        }
        #expect(events.awaitedJobs.isEmpty)
    }

    @Test("A cancelled task stops waiting")
    func cancellation() async {
        let events = JobEvents()
        let waiter = events.waiter(forJob: "a")
        let task = Task { await waiter.wait(until: farOff) }
        task.cancel()
        await task.value
    }

    @Test("A stream hears of its user's rows and of what concerns everybody, and ends with the gateway")
    func streams() async {
        let events = JobEvents()
        let stream = events.stream(userID: "u")
        let waiter = events.waiter(forJob: "a")
        events.changed(jobID: nil, userID: "other")
        events.progressed(RunProgress(run: JobRun(jobID: "x", run: 1), done: 1, total: 2), userID: "other")
        events.changed(jobID: nil, userID: "u")
        events.changed(jobID: nil, userID: nil)
        events.close()
        var signals = 0
        for await _ in stream { signals += 1 }
        #expect(signals == 2)
        await waiter.wait(until: farOff)
        await events.waiter(forJob: "late").wait(until: farOff)
        for await _ in events.stream(userID: "u") { Issue.record("a closed gateway has nothing to say") }
    }
}
