import Contracts
import Model
import TestSupport
import Testing

@testable import Jobs

@Suite("Waiters and event streams", .timeLimit(.minutes(5)))
struct JobEventsTests {
    private let farOff = ContinuousClock.now.advanced(by: .seconds(3_600))

    @Test("A signal wakes only the job's waiters, and one from before the wait counts")
    func signalWakesWaiters() async {
        let events = JobEvents()
        let (first, second, other) = (
            events.waiter(forJob: "a"), events.waiter(forJob: "a"), events.waiter(forJob: "b")
        )
        events.changed(jobs: ["a"], users: ["u"])
        await first.wait(until: farOff)
        await second.wait(until: farOff)
        let deadline = ContinuousClock.now.advanced(by: .milliseconds(50))
        await other.wait(until: deadline)
        #expect(ContinuousClock.now >= deadline)
    }

    @Test("After a signalled wait, the next wait lasts until another signal")
    func noSpuriousWake() async {
        let events = JobEvents()
        let waiter = events.waiter(forJob: "a")
        for _ in 0..<3 {
            events.changed(jobs: ["a"], users: ["u"])
            await waiter.wait(until: farOff)
            let deadline = ContinuousClock.now.advanced(by: .milliseconds(50))
            await waiter.wait(until: deadline)
            #expect(ContinuousClock.now >= deadline)
        }
    }

    @Test("A released waiter is forgotten")
    func releasedWaiter() async {
        let events = JobEvents()
        do {
            let waiter = events.waiter(forJob: "a")
            let another = events.waiter(forJob: "a")
            #expect(events.awaitedJobs == ["a"])
            events.changed(jobs: ["a"], users: ["u"])
            await waiter.wait(until: farOff)
            _ = another
        }
        #expect(events.awaitedJobs.isEmpty)
    }

    @Test("A cancelled task stops waiting")
    func cancelledWaiter() async {
        let events = JobEvents()
        let waiter = events.waiter(forJob: "a")
        let task = Task { await waiter.wait(until: farOff) }
        task.cancel()
        await task.value
    }

    @Test("A stream that nobody reads buffers little, and loses no change among much progress")
    func slowStream() async {
        let events = JobEvents()
        let stream = events.stream(userID: "u")
        events.changed(jobs: ["a"], users: ["u"])
        for done in 1...1_000 {
            let job = "\(done % 100)"
            events.progressed(
                RunProgress(run: JobRun(jobID: job, run: 1), JobProgress(done: done, total: 2_000)), userID: "u")
        }
        events.keepAlive()
        events.close()
        var signals: [JobEventStream.Signals] = []
        for await signal in stream { signals.append(signal) }
        #expect(signals.count == 1 && signals.first?.hasChanged == true && signals.first?.isKeepAlive == true)
        let progress = signals.first?.progress ?? []
        #expect(progress.count == JobEventStream.maximumProgress)
        #expect(progress.allSatisfy { $0.progress.done > 900 })
    }

    @Test("A released stream is forgotten")
    func forgottenStream() async {
        let events = JobEvents()
        do {
            let stream = events.stream(userID: "u")
            #expect(events.openStreams == 1)
            let task = Task { for await _ in stream {} }
            task.cancel()
            await task.value
        }
        #expect(events.openStreams == 0)
        do { _ = events.stream(userID: "u") }
        #expect(events.openStreams == 0)
    }

    @Test("A stream gets signals of its user only, and ends with the gateway")
    func streamsOfAUser() async {
        let events = JobEvents()
        let stream = events.stream(userID: "u")
        let waiter = events.waiter(forJob: "a")
        events.changed(jobs: ["a"], users: ["other", "another"])
        events.progressed(RunProgress(run: JobRun(jobID: "x", run: 1), JobProgress(done: 1, total: 2)), userID: "other")
        events.changed(users: ["other", "u"])
        events.close()
        var signals: [JobEventStream.Signals] = []
        for await signal in stream { signals.append(signal) }
        #expect(signals == [.init(hasChanged: true, hasChangedOwn: true)])
        await waiter.wait(until: farOff)
        await events.waiter(forJob: "late").wait(until: farOff)
        for await _ in events.stream(userID: "u") { Issue.record("a closed gateway has nothing to say") }
    }

    @Test("A waiter for a person's rows is woken only by these, and its person is polled")
    func waitsForUser() async {
        let events = JobEvents()
        #expect(!events.hasListeners && events.listeners.isEmpty)
        do {
            let (waiter, job) = (events.waiter(forUser: "u"), events.waiter(forJob: "u"))
            #expect(events.hasListeners && events.listeners == ["u"] && events.awaitedJobs == ["u"])
            events.changed(users: ["u"])
            await waiter.wait(until: farOff)
            events.found(.init(first: 0, last: 1, listeners: ["u"], own: ["u": 1]))
            await waiter.wait(until: farOff)
            events.changed(jobs: ["u"], users: ["other"])
            await job.wait(until: farOff)
            let deadline = ContinuousClock.now.advanced(by: .milliseconds(50))
            await waiter.wait(until: deadline)
            #expect(ContinuousClock.now >= deadline)
        }
        #expect(!events.hasListeners && events.listeners.isEmpty)
    }

    @Test("A poll wakes the streams that have not read that far, and no others")
    func pollWakesStreams() async {
        let events = JobEvents()
        let (behind, ahead, other) = (
            events.stream(userID: "u"), events.stream(userID: "u"), events.stream(userID: "other")
        )
        behind.hasRead(through: 6)
        ahead.hasRead(through: 7)
        events.found(.init(first: 6, last: 7, listeners: ["u", "other"], own: ["u": 7]))
        events.close()
        let wakeUp = JobEventStream.Signals(hasChanged: true, hasChangedOwn: true)
        for (stream, expected) in [(behind, [wakeUp]), (ahead, []), (other, [])] {
            var signals: [JobEventStream.Signals] = []
            for await signal in stream { signals.append(signal) }
            #expect(signals == expected)
        }
    }

    @Test("A poll wakes those who follow a changed author, and moves the streams for which it found nothing to its end")
    func pollOfAuthors() async {
        let events = JobEvents()
        let streams = ["follower", "reader", "quiet", "slow"].map { events.stream(userID: $0) }
        for (stream, read) in zip(streams, [10, 15, 10, 9] as [Int64]) { stream.hasRead(through: read) }
        let late = events.stream(userID: "late")
        late.hasRead(through: 10)
        events.found(
            .init(
                first: 10, last: 20, listeners: ["follower", "reader", "quiet", "slow"],
                followers: ["follower", "reader"], lastOfAuthors: 15))
        events.close()
        var signals: [[JobEventStream.Signals]] = []
        for stream in streams + [late] {
            var own: [JobEventStream.Signals] = []
            for await signal in stream { own.append(signal) }
            signals.append(own)
        }
        // The second has read the change of the author already.
        #expect(signals == [[.init(hasChanged: true)], [], [], [], []])
        // The fourth has not read all that came before, and the poll did not look for the last one.
        #expect(streams.map(\.position) == [10, 15, 20, 9] && late.position == 10)
    }
}
