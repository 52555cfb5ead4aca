import Contracts
import JobStorage
import Model
import Storage
import TestSupport
import Testing

@testable import LibrarySync

@Suite("Schedules of library syncs", .timeLimit(.minutes(5)))
struct LibraryScheduleTests {
    private static let day = Duration.seconds(86_400)

    /// The intervals of users' schedules.
    private func schedules(_ database: Database) async throws -> [String: Duration] {
        try await database.read { reader in
            let kind = TypedJobKind.librarySync.kind.name
            let people = try reader.jobs.scheduledPeople(kind: kind, after: "", upTo: nil)
            return try people.reduce(into: [:]) { found, userID in
                found[userID] = try reader.jobs.schedule(kind: kind, userID: userID)?.every
            }
        }
    }

    @Test("Connecting a service sets the user's schedule, unless libraries are not read on a schedule")
    func scheduleOfAConnectedService() async throws {
        try await withDatabase { database, _ in
            let userID = try await database.addPerson()
            for interval in [Self.day, nil] {
                try await database.write { transaction in
                    try transaction.syncs.submitSync(
                        afterConnecting: .spotify, userID: userID, interval: interval, now: .now()
                    ) { _ in UUIDv7.next() }
                }
                #expect(try await schedules(database) == (interval.map { [userID: $0] } ?? [:]))
            }
        }
    }
}
