import Model
import Storage

/// A person's daily share of the calls with the installation's own key for a provider.
package struct CallShare: Sendable, Hashable {
    package var provider: String
    package var userID: String
    /// The most calls per day; at least 1.
    package var limit: Int

    package init(provider: String, userID: String, limit: Int) {
        self.provider = provider
        self.userID = userID
        self.limit = limit
    }

    /// The day (UTC, by the wall clock) of a moment, in days since 1970-01-01.
    package static func day(of time: Timestamp) -> Int { Int(time.microseconds / dayLength) }

    /// The midnight (UTC) at which shares of a moment's day end.
    package static func end(ofDayOf time: Timestamp) -> Timestamp {
        Timestamp(microseconds: (Int64(day(of: time)) + 1) * dayLength)
    }

    private static let dayLength: Int64 = 86_400_000_000
}

/// A call that was counted in a share.
package struct ShareCharge: Sendable, Hashable {
    package let share: CallShare
    /// See ``CallShare/day(of:)``.
    let day: Int
}

extension PermitStore {
    /// How many calls have been counted for a person on the day of `now`.
    package func usedShare(ofProvider provider: String, userID: String, now: Timestamp) throws -> Int {
        try transaction.row(
            """
            SELECT used FROM call_shares
            WHERE user_id = \(userID) AND provider = \(provider) AND day = \(CallShare.day(of: now))
            """)?["used"] ?? 0
    }

    /// A query for the ids of people who have used up their share for the day.
    package static func peopleWithoutShare(provider: String, limit: Int, now: Timestamp) -> PeopleCondition {
        PeopleCondition { userID in
            """
            EXISTS (SELECT 1 FROM call_shares
                WHERE call_shares.user_id = \(userID) AND call_shares.provider = \(provider)
                    AND call_shares.day = \(CallShare.day(of: now)) AND call_shares.used >= \(limit))
            """
        }
    }
}

extension PermitStore where Access == WriteTransaction {
    /// Counts a call for a person.
    ///
    /// - Returns: `nil` if the person's share for the day is used up; then nothing is counted.
    package func chargeShare(_ share: CallShare, now: Timestamp) throws -> ShareCharge? {
        let day = CallShare.day(of: now)
        let counted = try transaction.row(
            """
            INSERT INTO call_shares (user_id, provider, day, used)
            VALUES (\(share.userID), \(share.provider), \(day), 1)
            ON CONFLICT (user_id, provider, day) DO UPDATE SET used = call_shares.used + 1
                WHERE call_shares.used < \(share.limit)
            RETURNING used
            """)
        return counted == nil ? nil : ShareCharge(share: share, day: day)
    }

    /// Uncounts a call that was never sent.
    package func returnShare(_ taken: ShareCharge) throws {
        try transaction.run(
            """
            UPDATE call_shares SET used = used - 1
            WHERE user_id = \(taken.share.userID) AND provider = \(taken.share.provider) AND day = \(taken.day)
                AND used > 0
            """)
    }

    /// Deletes counts of days before yesterday; returns their number.
    package func pruneShares(at time: PruningTime, limit: Int) throws -> Int {
        let old = try transaction.rows(
            """
            SELECT user_id, provider, day FROM call_shares
            WHERE day < \(CallShare.day(of: time.moment) - 1) LIMIT \(limit)
            """)
        for row in old {
            let (userID, provider, day): (String, String, Int) = (
                try row["user_id"], try row["provider"], try row["day"]
            )
            try transaction.run(
                "DELETE FROM call_shares WHERE user_id = \(userID) AND provider = \(provider) AND day = \(day)")
        }
        return old.count
    }
}
