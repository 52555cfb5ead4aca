import Contracts
import Model
import Storage
import TestSupport
import Testing

@testable import Library

@Suite("Schedules of library syncs", .timeLimit(.minutes(5)))
struct LibraryScheduleTests {
    private static let day = Duration.seconds(86_400)

    /// The intervals of people's schedules.
    private func schedules(_ database: Database) async throws -> [String: Duration] {
        try await database.read { reader in
            let people = try reader.library.scheduledPeople(after: "", upTo: nil)
            let kind = TypedJobKind.librarySync.kind.name
            return try people.reduce(into: [:]) { found, userID in
                found[userID] = try reader.jobs.schedule(kind: kind, userID: userID)?.every
            }
        }
    }

    @Test("Everybody with a connected service has a schedule with the configured interval, and nobody else")
    func applied() async throws {
        try await withDatabase { database, _ in
            // More than a transaction takes.
            let people = (0..<410).map { _ in UUIDv7.next() }.sorted()
            try await database.write { transaction in
                for (index, id) in people.enumerated() { try transaction.insertPerson(id: id, name: "person\(index)") }
            }
            let connected = people.enumerated().filter { !$0.offset.isMultiple(of: 40) }.map(\.element)
            let gone = Set(people).subtracting(connected)
            try await database.write { transaction in
                for userID in gone {
                    try transaction.library.schedule(
                        isConnected: true, userID: userID, interval: Self.day, now: .now())
                }
            }
            for interval in [Self.day, .seconds(3_600), nil] {
                try await LibrarySchedules.apply(interval, in: database) { _, after, limit in
                    Array(connected.filter { $0 > after }.prefix(limit))
                }
                let found = try await schedules(database)
                let wanted = interval.map { interval in connected.map { ($0, interval) } } ?? []
                #expect(found == Dictionary(uniqueKeysWithValues: wanted))
            }
        }
    }

    @Test("Connecting a service sets the person's schedule, unless libraries are not read on a schedule")
    func connected() async throws {
        try await withDatabase { database, _ in
            let userID = try await database.addPerson()
            for interval in [Self.day, nil] {
                try await database.write { transaction in
                    try transaction.library.submitSync(
                        afterConnecting: .spotify, userID: userID, interval: interval, now: .now()
                    ) { _ in UUIDv7.next() }
                }
                #expect(try await schedules(database) == (interval.map { [userID: $0] } ?? [:]))
            }
        }
    }
}
