import Contracts
import JobStorage
import Jobs
import LibrarySync
import Model
import Storage
import TestSupport
import Testing

@Suite("Schedules of all people", .timeLimit(.minutes(5)))
struct PersonalSchedulesTests {
    private static let day = Duration.seconds(86_400)
    private let kind = TypedJobKind.librarySync.kind

    /// The intervals of people's schedules.
    private func schedules(_ database: Database) async throws -> [String: Duration] {
        try await database.read { [kind] reader in
            let people = try reader.jobs.scheduledPeople(kind: kind.name, after: "", upTo: nil)
            return try people.reduce(into: [:]) { found, userID in
                found[userID] = try reader.jobs.schedule(kind: kind.name, userID: userID)?.every
            }
        }
    }

    @Test("Those who need a schedule have it with the configured interval, and nobody else")
    func schedulesOfThoseWhoNeedThem() async throws {
        try await withDatabase { database, _ in
            // These are more than one transaction includes.
            let people = (0..<410).map { _ in UUIDv7.next() }.sorted()
            try await database.write { transaction in
                for (index, id) in people.enumerated() { try transaction.insertPerson(id: id, name: "person\(index)") }
            }
            let connected = people.enumerated().filter { !$0.offset.isMultiple(of: 40) }.map(\.element)
            let gone = Set(people).subtracting(connected)
            try await database.write { transaction in
                for userID in gone {
                    try transaction.jobs.setSchedule(kind: kind.name, userID: userID, every: Self.day, now: .now())
                }
            }
            for interval in [Self.day, .seconds(3_600), nil] {
                try await PersonalSchedules.apply(to: kind, in: database) { _, after, limit in
                    interval == nil ? [] : Array(connected.filter { $0 > after }.prefix(limit))
                } set: { transaction, userID, now in
                    guard let interval else { return }
                    try transaction.jobs.setSchedule(kind: kind.name, userID: userID, every: interval, now: now)
                }
                let found = try await schedules(database)
                let wanted = interval.map { interval in connected.map { ($0, interval) } } ?? []
                #expect(found == Dictionary(uniqueKeysWithValues: wanted))
            }
        }
    }
}
