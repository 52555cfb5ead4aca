import Contracts
import Model
import Storage

/// The schedules on which people's libraries are read. Connecting a service sets a person's schedule; a changed
/// interval of the configuration, and people who connected before there were schedules, need a look at all.
package enum LibrarySchedules {
    /// The most people of one transaction.
    private static let batch = 200

    /// Gives everybody with a connected service a schedule with the interval, and removes the others. The gateway calls
    /// it at its start.
    ///
    /// - Parameters:
    ///   - interval: `nil` removes all schedules.
    ///   - connected: the ids of people with a connected service that sort after a text, in their order.
    package static func apply(
        _ interval: Duration?, in database: Database,
        connected: @escaping @Sendable (ReadTransaction, _ after: String, _ limit: Int) throws -> [String]
    ) async throws {
        var last = ""
        while !Task.isCancelled {
            let (after, limit) = (last, Self.batch)
            let people = try await database.read { reader in
                try interval == nil ? [] : connected(reader, after, limit)
            }
            // Schedules of people up to the last of this part who are not among them.
            let end = people.count == limit ? people.last : nil
            let scheduled = try await database.read { reader in
                try reader.library.scheduledPeople(after: after, upTo: end)
            }
            let gone = Set(scheduled).subtracting(people)
            if !people.isEmpty || !gone.isEmpty {
                try await database.write { transaction in
                    let now = Timestamp.now()
                    for userID in people {
                        try transaction.library.schedule(
                            isConnected: true, userID: userID, interval: interval, now: now)
                    }
                    for userID in gone.sorted() {
                        try transaction.library.schedule(
                            isConnected: false, userID: userID, interval: interval, now: now)
                    }
                }
            }
            guard let end else { return }
            last = end
        }
    }
}
