import Concerts
import Model
import Storage
import Synchronization

/// Which calendars programs have read, until the database has it. So reading a calendar needs no write.
final class CalendarReadings: Sendable {
    private struct Reading {
        var userID: String
        /// The hash of the address's secret.
        var token: String
        var at: Timestamp
    }

    /// How many readings are stored in a transaction.
    private static let batch = 100

    /// By person, so that there are never more than calendars.
    private let readings = Mutex<[String: Reading]>([:])

    /// Notes that a program has read a calendar, unless the database has a reading that is recent enough.
    func note(_ calendar: CalendarSubscription, ofUser userID: String, at token: CalendarToken, _ now: Timestamp) {
        let isRecent = calendar.readAt.map { stored in
            (.zero..<CalendarSubscription.readingGranularity).contains(stored.duration(to: now))
        }
        guard isRecent != true else { return }
        let reading = Reading(userID: userID, token: token.hash, at: now)
        readings.withLock { $0[userID] = reading }
    }

    /// Stores what was noted. What a failure loses, the next reading notes again.
    func store(in database: Database) async throws {
        var rest = readings.withLock { readings in
            defer { readings = [:] }
            return Array(readings.values)
        }[...]
        while !rest.isEmpty {
            let part = rest.prefix(Self.batch)
            rest = rest.dropFirst(part.count)
            try await database.write { transaction in
                for reading in part {
                    try transaction.concerts.recordReading(
                        ofCalendar: reading.userID, at: reading.token, reading.at)
                }
            }
        }
    }
}
