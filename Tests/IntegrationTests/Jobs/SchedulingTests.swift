import Foundation
import Model
import TestProcesses
import TestSupport
import Testing

@Suite("Run times and order of jobs", .timeLimit(.minutes(20)))
struct SchedulingTests {
    @Test("A scheduled job waits for its time, also across a restart of the gateway")
    func runAt() async throws {
        try await Installation.run { installation in
            let (gateway, _) = try await installation.startAll()
            let ada = try await installation.addUser()
            let soon = Timestamp.now().advanced(by: .seconds(20))
            let first = try await ada.submit(Echo.job(1, extra: #""runAt":"\#(soon)""#))
            let second = try await ada.submit(Echo.job(2, extra: #""runAt":"\#(soon)""#))
            #expect(first.state == "scheduled" && first.startedAt == nil)
            #expect(first.runAt == "\(soon)")
            gateway.kill()
            try await gateway.waitForEnd()
            try await installation.startGateway()
            for id in [first.id, second.id] {
                let job = try await ada.job(id, reaches: "succeeded")
                #expect(job.attempt == 1)
                #expect(try #require(job.startedAt) >= job.runAt)
            }
            // A job with a time in the past runs at once.
            let late = try await ada.submit(Echo.job(3, extra: #""runAt":"2020-01-01T00:00:00+02:00""#), wait: 30)
            #expect(late.state == "succeeded")
        }
    }

    @Test("A scheduled job follows the wall clock, even if that is set meanwhile")
    func setClock() async throws {
        let folder = try TemporaryFolder()
        let clock = URL(fileURLWithPath: folder.file("clock"))
        try Data("0".utf8).write(to: clock)
        try await Installation.run(environment: ["BACKLINE_TEST_CLOCK_OFFSET_FILE": clock.path]) { installation in
            _ = try await installation.startAll()
            let ada = try await installation.addUser()
            let tomorrow = Timestamp.now().advanced(by: .seconds(86_400))
            let job = try await ada.submit(Echo.job(1, extra: #""runAt":"\#(tomorrow)""#))
            #expect(try await ada.submit(Echo.job(2), wait: 30).state == "succeeded")
            #expect(try await ada.job(job.id).state == "scheduled")
            try FileHandle(forWritingTo: clock).write(contentsOf: Data("90000000000".utf8))
            let ended = try await ada.job(job.id, reaches: "succeeded")
            #expect(try #require(ended.startedAt) >= job.runAt)
        }
    }

    @Test("Retries postponed while the clock was ahead run soon after it is set back")
    func clockSetBack() async throws {
        let folder = try TemporaryFolder()
        let clock = URL(fileURLWithPath: folder.file("clock"))
        // A month. The value has as many digits as the next one, since the file is overwritten while processes read it.
        try Data("2592000000000".utf8).write(to: clock)
        try await Installation.run(environment: ["BACKLINE_TEST_CLOCK_OFFSET_FILE": clock.path]) { installation in
            _ = try await installation.startAll()
            let ada = try await installation.addUser()
            let bodies = (0..<40).map { #"{"kind":"diagnostics.echo","payload":{"n":\#($0),"failAttempts":1}}"# }
            _ = try await ada.submitBatch(#"{"jobs":[\#(bodies.joined(separator: ","))]}"#)
            // The job's retries are postponed by up to a second each.
            try await eventually("all to be postponed") {
                let summary = try await ada.summary()
                return summary.queued + summary.running == 0
            }
            try FileHandle(forWritingTo: clock).write(contentsOf: Data("0000000000000".utf8))
            try await ada.allEnded()
            #expect(try await ada.allJobs().allSatisfy { $0.state == "succeeded" })
        }
    }

    @Test("A retry of a run during which the clock jumped ahead runs soon after the clock is set back")
    func clockAheadDuringRun() async throws {
        let folder = try TemporaryFolder()
        let clock = URL(fileURLWithPath: folder.file("clock"))
        try Data("0000000000000".utf8).write(to: clock)
        try await Installation.run(environment: ["BACKLINE_TEST_CLOCK_OFFSET_FILE": clock.path]) { installation in
            _ = try await installation.startAll()
            let ada = try await installation.addUser()
            let payload = #"{"failAttempts":1,"sleepMs":2000}"#
            let job = try await ada.submit(#"{"kind":"diagnostics.echo","payload":\#(payload)}"#)
            _ = try await ada.job(job.id, reaches: "running")
            // A month.
            try FileHandle(forWritingTo: clock).write(contentsOf: Data("2592000000000".utf8))
            try await eventually("the retry to be postponed") {
                let retried = try await ada.job(job.id)
                return retried.state == "scheduled" || retried.attempt > 1
            }
            try FileHandle(forWritingTo: clock).write(contentsOf: Data("0000000000000".utf8))
            #expect(try await ada.ended(job.id).state == "succeeded")
        }
    }

    @Test("The job with the higher priority is handed out first")
    func higherPriorityFirst() async throws {
        try await Installation.run { installation in
            try await installation.startGateway()
            let ada = try await installation.addUser()
            // The jobs are too long for a prefetch.
            var ids: [Int: String] = [:]
            for priority in [0, -100, 7, 9, -3] {
                let job = try await ada.submit(Echo.job(sleepMs: 50, extra: "\"priority\":\(priority)"))
                #expect(job.priority == priority)
                ids[priority] = job.id
            }
            _ = try await installation.startWorker(environment: ["BACKLINE_WORKER_CONCURRENCY": "1"])
            try await ada.allEnded()
            let order = try await ada.allJobs().sorted { ($0.startedAt ?? "") < ($1.startedAt ?? "") }
            #expect(order.map(\.priority) == [9, 7, 0, -3, -100])
        }
    }

    @Test("Long jobs never block interactive jobs")
    func roomForPeople() async throws {
        try await Installation.run { installation in
            _ = try await installation.startAll(concurrency: 4)
            let (ada, bob) = (
                try await installation.addUser("ada", isAdmin: true), try await installation.addUser("bob")
            )
            // After many short jobs a worker has a prefetch.
            _ = try await ada.submitBatch(Echo.batch(0..<400))
            try await ada.allEnded()
            let long = try await ada.submitBatch(Echo.batch(0..<40, sleepMs: 600_000))
            try await eventually("one person's share to be in use") {
                try await ada.summary().running >= 2
            }
            for n in 0..<3 {
                // Only Backline itself submits interactive jobs.
                let id = try await installation.insertInteractiveJob(n, of: bob)
                #expect(try await bob.ended(id).state == "succeeded")
            }
            #expect(try await ada.summary().succeeded == 400)
            for id in long { #expect(try await ada.post("/v1/jobs/\(id)/cancel").status == 200) }
            try await ada.allEnded()
        }
    }

    @Test("One person's many jobs do not delay another's first job")
    func manyJobsOfOnePerson() async throws {
        try await Installation.run { installation in
            try await installation.startGateway()
            let ada = try await installation.addUser("ada")
            let bob = try await installation.addUser("bob")
            let many = try await ada.submitBatch(Echo.batch(0..<40, sleepMs: 30))
            let one = try await bob.submit(Echo.job(sleepMs: 30))
            _ = try await installation.startWorker(environment: ["BACKLINE_WORKER_CONCURRENCY": "1"])
            let started = try #require(try await bob.ended(one.id).startedAt)
            try await ada.allEnded()
            let earlier = try await ada.allJobs().count { ($0.startedAt ?? "") < started }
            #expect(earlier <= 1)
            // One person's jobs of one priority run in order of arrival.
            #expect(try await ada.allJobs().sorted { ($0.startedAt ?? "") < ($1.startedAt ?? "") }.map(\.id) == many)
        }
    }

    @Test("A recurring schedule submits its job repeatedly, one at a time")
    func recurringSchedule() async throws {
        try await Installation.run { installation in
            let file = "\(installation.folder)/backline.yaml"
            let schedule = """
                schedules:
                  heartbeat:
                    kind: diagnostics.echo
                    everySeconds: 1
                    payload: '{"from": "the schedule"}'
                """
            try Data(schedule.utf8).write(to: URL(fileURLWithPath: file))
            try await installation.startGateway(environment: ["BACKLINE_CONFIG": file])
            try await eventually("the schedule's job") { try await installation.storedJobs().count == 1 }
            // The job has not run yet, so no second one is submitted, however often the schedule is due.
            let next = try await installation.nextTimes(ofSchedule: "heartbeat", count: 2)
            #expect(Set(next).count == 2)
            #expect(try await installation.storedJobs().count == 1)
            _ = try await installation.startWorker()
            try await eventually("three jobs of the schedule") {
                try await installation.storedJobs().values.count { $0.state == "succeeded" } >= 3
            }
            #expect(try await installation.addUser().allJobs().isEmpty)
        }
    }
}
