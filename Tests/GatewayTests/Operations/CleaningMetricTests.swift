import Accounts
import HTTPTypes
import HummingbirdTesting
import Model
import NIOCore
import Storage
import Testing

@testable import Gateway

@Suite("The metrics of erasure and cleaning")
struct CleaningMetricTests {
    @Test("They are above 0 as long as something is due")
    func metricsOfDueCleaning() async throws {
        try await TestGateway.run { gateway in
            let since = Timestamp.now().advanced(by: .seconds(-3_600))
            try await gateway.database.write { transaction in
                for id in ["gone-1", "gone-2"] { try transaction.accounts.beginErasure(ofUser: id, now: since) }
                try transaction.recordCleaningDue(now: since)
                try transaction.run("UPDATE cleaning SET next_page = 7")
            }
            try await gateway.withClient { client in
                func metric(_ name: String) async throws -> Double? {
                    let response = try await client.execute(uri: "/metrics", method: .get)
                    let lines = String(buffer: response.body).split(separator: "\n")
                    let line = lines.first { $0.hasPrefix(name + " ") }
                    return line.flatMap { Double($0.dropFirst(name.count + 1)) }
                }
                #expect(try await metric("backline_erasures_unfinished") == 2)
                #expect(try await metric("backline_database_cleaning_page") == 7)
                // In seconds; the mark is an hour old.
                let age = try #require(try await metric("backline_database_cleaning_due_seconds"))
                #expect(age > 3_000 && age < 1_000_000)

                try await gateway.database.write { transaction in
                    try transaction.run("DELETE FROM erasures")
                    try transaction.run("UPDATE cleaning SET log_due_since = NULL, next_page = NULL")
                }
                for name in ["erasures_unfinished", "database_cleaning_page", "database_cleaning_due_seconds"] {
                    #expect(try await metric("backline_\(name)") == 0, "\(name)")
                }
            }
        }
    }
}
