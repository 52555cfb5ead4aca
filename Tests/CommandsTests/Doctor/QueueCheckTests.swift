import JobStorage
import Model
import PermitStorage
import Platform
import Storage
import TestSupport
import Testing

@testable import Commands

@Suite("doctor: jobs, permits and clocks")
struct QueueCheckTests {
    private func insert(_ id: String, into database: Database, at time: Timestamp, claim: JobInsertion.Claim? = nil)
        async throws
    {
        try await database.write {
            try $0.jobs.insert(
                JobInsertion(
                    id: id, userID: "u", kind: "diagnostics.echo", version: 1, payload: "{}", priority: 0,
                    maximumAttempts: 1, createdAt: time, runAt: time, claim: claim))
        }
    }

    @Test("An empty queue is fine; a job that waits for long is first a warning and later a problem, with its id")
    func ageOfQueuedJobs() async throws {
        try await withDatabase { database, folder in
            let context = try DoctorContext.sample(folder)
            #expect(await DoctorCheck.queue.findings(in: context).worst == .ok)
            for (age, severity) in [(30, .ok), (300, .warning), (3_600, .problem)] as [(Int, Finding.Severity)] {
                let id = UUIDv7.next()
                try await insert(id, into: database, at: .now().advanced(by: .seconds(-age)))
                let findings = await DoctorCheck.queue.findings(in: context)
                #expect(findings.worst == severity)
                #expect(findings.text.contains(id))
            }
        }
    }

    @Test("A run longer than its kind's maximum is a problem, with its worker")
    func overdueRun() async throws {
        try await withDatabase { database, folder in
            let context = try DoctorContext.sample(folder)
            let claim = JobInsertion.Claim(
                worker: "concert-worker-1@7", leaseExpiresAt: .now().advanced(by: .seconds(600)))
            try await insert("a", into: database, at: .now().advanced(by: .seconds(-600)), claim: claim)
            #expect(await DoctorCheck.queue.findings(in: context).worst == .ok)
            try await insert("b", into: database, at: .now().advanced(by: .seconds(-3_600)), claim: claim)
            let findings = await DoctorCheck.queue.findings(in: context)
            #expect(findings.worst == .problem && findings.text.contains("concert-worker-1@7"))
        }
    }

    @Test("Dead letters are counted")
    func deadLetters() async throws {
        try await withDatabase { database, folder in
            try await insert("a", into: database, at: .now(), claim: .init(worker: "w", leaseExpiresAt: .now()))
            try await database.write {
                _ = try $0.jobs.fail(
                    .init(jobID: "a", run: 1), userID: "u", kind: "diagnostics.echo", code: "x", message: "y",
                    retryAt: nil, now: .now())
            }
            let findings = await DoctorCheck.queue.findings(in: try .sample(folder))
            #expect(findings.worst == .warning && findings.text.contains("1 job has failed for good"))
            #expect(findings.text.contains("backline jobs list --everyone"))
        }
    }

    @Test("A permit taken for too long is a problem; a pause is a warning with its end")
    func permitsAndPauses() async throws {
        try await withDatabase { database, folder in
            let context = try DoctorContext.sample(folder)
            let boot = BootID.current
            try await database.write {
                try $0.permits.registerPermitKey(
                    "ticketmaster:abc", provider: "ticketmaster", requests: 5, window: .seconds(1), boot: boot)
            }
            #expect(await DoctorCheck.permits.findings(in: context).worst == .ok)
            let now = MonotonicInstant.now()
            try await database.write {
                try $0.permits.registerPermitQuotas(
                    [.init(name: "requestsPerDay", unit: "requests", amount: 1, window: .seconds(86_400))],
                    of: "ticketmaster:abc")
                try $0.permits.addPermitGrant(
                    "ticketmaster:abc", quota: "requestsPerDay", slot: 0, grantNumber: 1, boot: boot, weight: 1,
                    holder: "p", arrivedBy: now, countsUntil: now.advanced(by: .seconds(600)))
            }
            let used = await DoctorCheck.permits.findings(in: context)
            #expect(used.worst == .warning && used.text.contains("1 of its 1 requestsPerDay"))
            let pause = PermitPause(until: .now().advanced(by: .seconds(600)), reason: "quota")
            try await database.write {
                try $0.permits.setPermitPause(
                    of: "ticketmaster:abc", to: pause, until: .now().advanced(by: .seconds(600)), boot: boot)
            }
            let paused = await DoctorCheck.permits.findings(in: context)
            #expect(paused.worst == .warning && paused.text.contains("quota"))
            try await database.write {
                _ = try $0.permits.grantPermit(
                    "ticketmaster:abc", slot: 0, holder: "p", busyUntil: .now().advanced(by: .seconds(3_600)))
            }
            let stuck = await DoctorCheck.permits.findings(in: context)
            #expect(stuck.worst == .problem && stuck.text.contains("ticketmaster (key abc)"))
        }
    }

    @Test("A clock that was set back is a problem, and so are leases from another clock")
    func clockThatWasSetBack() async throws {
        try await withDatabase { database, folder in
            let context = try DoctorContext.sample(folder)
            #expect(await DoctorCheck.clock.findings(in: context).worst == .ok)
            let lastRun = Timestamp.now().advanced(by: .seconds(-86_400 * 3))
            try await database.write { try $0.setNewestMoment(lastRun) }
            let doubted = await DoctorCheck.clock.findings(in: context)
            #expect(doubted.worst == .warning && doubted.text.contains("deletes nothing by age"), "\(doubted.text)")
            try await database.write { try $0.setNewestMoment(.now()) }
            #expect(await DoctorCheck.clock.findings(in: context).worst == .ok)
            try await insert(
                "a", into: database, at: .now(),
                claim: .init(worker: "w", leaseExpiresAt: .now().advanced(by: .seconds(86_400))))
            let leases = await DoctorCheck.clock.findings(in: context)
            #expect(leases.worst == .problem && leases.text.contains("time namespace"))
            try await database.write { try $0.run("DELETE FROM jobs") }
            try await insert("b", into: database, at: .now().advanced(by: .seconds(3_600)))
            let ahead = await DoctorCheck.clock.findings(in: context)
            #expect(ahead.worst == .problem && ahead.text.contains("set back"))
        }
        #expect(DoctorCheck.wallFinding(Timestamp(microseconds: 0), latest: nil).severity == .problem)
        let now = Timestamp.now()
        #expect(DoctorCheck.aheadFinding(now, newest: nil) == nil)
        #expect(DoctorCheck.aheadFinding(now, newest: now.advanced(by: .seconds(-86_000))) == nil)
        let away = DoctorCheck.aheadFinding(now, newest: now.advanced(by: .seconds(-86_400 * 3)))
        #expect(away?.severity == .warning && away?.message.contains("deletes nothing by age") == true)
    }

    @Test("A check that throws is a finding and does not end doctor")
    func checkThatThrows() async throws {
        struct Broken: Error {}
        let check = DoctorCheck("broken") { _ in throw Broken() }
        let findings = await check.findings(in: try .sample(TemporaryFolder()))
        #expect(findings.worst == .problem && findings[0].check == "broken")
    }
}
