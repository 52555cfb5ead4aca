import Accounts
import Composition
import Bootstrap
import Domains
import Foundation
import Model
import Storage
import TestSupport
import Testing

@testable import Commands

@Suite("doctor: cleaning")
struct CleaningCheckTests {
    @Test("A cleaned database is fine; one that is not cleaned, or that no gateway cleans, is a warning")
    func statesOfCleaning() async throws {
        try await withDatabase { database, folder in
            try await database.write { try $0.run("UPDATE cleaning SET next_page = 1") }
            let asked = await DoctorCheck.cleaning.findings(in: try .sample(folder))
            #expect(asked.worst == .warning && asked.text.contains("start it"), "\(asked.text)")
            var next: Int64? = 1
            while let first = next { next = try await database.cleanPages(from: first, count: 1_000)?.next }
            let clean = await DoctorCheck.cleaning.findings(in: try .sample(folder))
            #expect(clean.worst == .ok && clean.count == 3, "\(clean.text)")

            let accounts = Accounts(database: database)
            _ = try await accounts.addUser(name: "ada")
            try await accounts.removeUser(named: "ada", tables: PersonalTables(of: .all))
            let due = await DoctorCheck.cleaning.findings(in: try .sample(folder))
            #expect(due.text.contains("must be truncated"), "\(due.text)")
            try await database.write { try $0.run("UPDATE cleaning SET log_due_since = 1") }
            let late = await DoctorCheck.cleaning.findings(in: try .sample(folder))
            #expect(late.worst == .warning && late.text.contains("Only the gateway"), "\(late.text)")
            try await database.truncateLogAfterReads()
            let done = await DoctorCheck.cleaning.findings(in: try .sample(folder))
            #expect(done.worst == .ok && done.text.contains("contains no rows"), "\(done.text)")
        }
    }

    @Test("A log that is due for truncation is fine at first, and a warning after a minute")
    func ageOfTheLog() {
        let now = Timestamp.now()
        func severity(_ age: Duration) -> Finding.Severity {
            DoctorCheck.logFinding(dueSince: now.advanced(by: .zero - age), now: now, isGatewayThere: true).severity
        }
        #expect(severity(.seconds(60)) == .ok && severity(.seconds(61)) == .warning)
    }

    @Test("Removed people who still have rows are counted, and cause a warning if the rows remain")
    func removedPeopleWithRows() {
        let now = Timestamp.now()
        func finding(_ count: Int, _ age: Duration?) -> Finding {
            DoctorCheck.erasureFinding(
                count, oldest: age.map { now.advanced(by: .zero - $0) }, now: now, isGatewayThere: true)
        }
        #expect(finding(0, nil).severity == .ok)
        #expect(finding(2, .seconds(60)).severity == .ok)
        #expect(finding(2, .seconds(60)).message.contains("2 removed people still have rows"))
        #expect(finding(1, .seconds(7_200)).severity == .warning)
        #expect(finding(1, .seconds(7_200)).advice?.contains("accounts.eraseLeftovers") == true)
    }

    @Test("Rows that were written after their person's removal are counted")
    func lateRows() async throws {
        try await withDatabase { database, folder in
            try await database.write { transaction in
                try transaction.run(
                    "INSERT INTO job_counts (user_id, state, count) VALUES ('removed', 'queued', 1)")
            }
            let late = await DoctorCheck.cleaning.findings(in: try .sample(folder))
            #expect(late.text.contains("1 removed person still has rows, which were written after"), "\(late.text)")
            #expect(late.worst == .warning)
        }
    }

    @Test("A database too large to be cleaned is a warning")
    func tooLarge() {
        let finding = DoctorCheck.fileFinding(
            nextPage: nil, size: (CleaningState.maximumPages, CleaningState.maximumPages * 4_096), isGatewayThere: true)
        #expect(finding.severity == .warning && finding.message.contains("64"))
        let smaller = DoctorCheck.fileFinding(
            nextPage: nil, size: (CleaningState.maximumPages - 1, 1), isGatewayThere: true)
        #expect(smaller.severity == .ok)
    }
}
