import Contracts
import JobStorage
import Model
import Storage

/// Brings people's schedules for a kind in line with who needs one. Connecting a service sets a person's schedule. The
/// gateway also checks all people at its start, because the configuration may have changed, and because some may have
/// connected before there were schedules.
package enum PersonalSchedules {
    /// The most people in one transaction.
    private static let batch = 200

    /// Sets the schedules of people, and removes those of all others. The gateway calls it at its start.
    ///
    /// - Parameters:
    ///   - people: returns the ids of people who need a schedule and that sort after a given text, in order.
    ///   - set: sets a person's schedule.
    package static func apply(
        to kind: JobKind, in database: Database,
        people: @escaping @Sendable (ReadTransaction, _ after: String, _ limit: Int) throws -> [String],
        set: @escaping @Sendable (WriteTransaction, _ userID: String, _ now: Timestamp) throws -> Void
    ) async throws {
        var last = ""
        while !Task.isCancelled {
            let (after, limit) = (last, Self.batch)
            let part = try await database.read { try people($0, after, limit) }
            // The schedules of people up to the last one of this part who do not need one.
            let end = part.count == limit ? part.last : nil
            let scheduled = try await database.read { reader in
                try reader.jobs.scheduledPeople(kind: kind.name, after: after, upTo: end)
            }
            let gone = Set(scheduled).subtracting(part)
            if !part.isEmpty || !gone.isEmpty {
                try await database.write { transaction in
                    let now = Timestamp.now()
                    for userID in part { try set(transaction, userID, now) }
                    for userID in gone.sorted() {
                        try transaction.jobs.removeSchedule(kind: kind.name, userID: userID)
                    }
                }
            }
            guard let end else { return }
            last = end
        }
    }
}
