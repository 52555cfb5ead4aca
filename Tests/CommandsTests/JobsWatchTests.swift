import ArgumentParser
import Foundation
import Model
import Testing

@testable import CommandSupport
@testable import Commands

@Suite("Watching jobs")
struct JobsWatchTests {
    private func news(_ id: String, _ state: JobState, kind: String = "k", attempt: Int = 1) throws -> JobDocument {
        try JobDocument(
            json: Data(
                (#"{"id":"\#(id)","kind":"\#(kind)","state":"\#(state.rawValue)","priority":0,"#
                    + #""attempt":\#(attempt),"createdAt":"2026-11-20T22:15:42Z"}"#)
                    .utf8))
    }

    @Test("Watching given jobs ends when all of them have ended, whatever other jobs do")
    func watchOfGivenJobs() throws {
        var watch = JobsWatch(.jobs(["a", "b"]))
        #expect(watch.open == ["a", "b"])
        #expect(watch.handle(.uncertain, at: .now).next == .poll)
        #expect(watch.handle(.polled([try news("a", .running), try news("b", .queued)]), at: .now).changes.count == 2)
        #expect(watch.handle(.job(try news("c", .running)), at: .now).changes.isEmpty)
        #expect(watch.handle(.job(try news("a", .succeeded)), at: .now).next == .wait)
        #expect(watch.open == ["b"])
        let last = watch.handle(.job(try news("b", .failed)), at: .now)
        #expect(last.changes.map(\.job.id) == ["b"] && last.next == .poll)
        #expect(watch.handle(.polled([]), at: .now).next == .end(.over))
        #expect(watch.counts == [.succeeded: 1, .failed: 1])
        #expect(JobsCommand.Watch.exit(for: watch) == ExitCode(1))
    }

    @Test("Watching all jobs skips those that ended before, and shows those submitted meanwhile")
    func watchOfAllJobs() throws {
        var watch = JobsWatch(.all(kind: "k"))
        #expect(watch.handle(.job(try news("old", .succeeded)), at: .now).changes.isEmpty)
        #expect(watch.handle(.polled([try news("a", .running)]), at: .now).next == .wait)
        #expect(watch.handle(.job(try news("other", .running, kind: "x")), at: .now).changes.isEmpty)
        #expect(watch.handle(.job(try news("b", .cancelled)), at: .now).changes.count == 1)
        #expect(watch.handle(.job(try news("a", .succeeded)), at: .now).next == .poll)
        #expect(watch.handle(.polled([try news("c", .queued)]), at: .now).next == .wait, "another one came")
        #expect(watch.handle(.job(try news("c", .succeeded)), at: .now).next == .poll)
        #expect(watch.handle(.polled([]), at: .now).next == .end(.over))
        #expect(JobsCommand.Watch.exit(for: watch) == ExitCode(2))
        #expect(JobsCommand.Watch.summary(of: watch) == "2 succeeded, 1 cancelled")
    }

    @Test("A repeated state is shown once, and an older one changes nothing")
    func repeatedStates() throws {
        var watch = JobsWatch(.jobs(["a"]))
        #expect(watch.handle(.polled([try news("a", .running)]), at: .now).changes.count == 1)
        #expect(watch.handle(.job(try news("a", .running)), at: .now).changes.isEmpty)
        #expect(watch.handle(.job(try news("a", .running, attempt: 2)), at: .now).changes.count == 1)
        #expect(watch.handle(.job(try news("a", .succeeded)), at: .now).changes.count == 1)
        #expect(watch.handle(.job(try news("a", .running)), at: .now).changes.isEmpty)
        #expect(watch.open.isEmpty)
    }

    @Test("The watch waits for a gateway that stops answering, but ends if it never answered, or if it refuses")
    func unreachableGateway() throws {
        let gone = GatewayError.unreachable(address: "a", reason: "b")
        let now = ContinuousClock.now
        var fresh = JobsWatch(.all(kind: nil))
        #expect(fresh.handle(.failure(gone), at: now).next == .end(.failed(gone)))
        var watch = JobsWatch(.jobs(["a"]))
        _ = watch.handle(.polled([try news("a", .running)]), at: now)
        #expect(watch.handle(.failure(gone), at: now).next == .wait)
        #expect(watch.handle(.failure(gone), at: now.advanced(by: .seconds(29))).next == .wait)
        #expect(watch.handle(.failure(gone), at: now.advanced(by: .seconds(31))).next == .end(.failed(gone)))
        #expect(watch.handle(.failure(.unauthorized), at: now).next == .end(.failed(.unauthorized)))
        #expect(watch.handle(.interrupt(2), at: now).next == .end(.interrupted(2)))
        #expect(watch.handle(.timeout, at: now).next == .end(.timedOut))
    }

    @Test("A watch without jobs to wait for succeeds")
    func watchWithoutJobs() {
        var watch = JobsWatch(.all(kind: nil))
        #expect(watch.handle(.polled([]), at: .now).next == .end(.over))
        #expect(JobsCommand.Watch.exit(for: watch) == ExitCode(0))
    }

    @Test("A filter's values cannot change the path")
    func escapedFilter() {
        #expect(
            JobAPI.path(.init(state: .failed, kind: "a&b c/ř"), limit: 7, cursor: "x+y")
                == "/v1/jobs?limit=7&state=failed&kind=a%26b%20c%2F%C5%99&cursor=x%2By")
    }
}
