import Model
import Storage

/// How often a person may do something toward others: so many acts at once, which come back evenly over a period.
///
/// One row for each person and limit holds the moment at which all acts are free again (the generic cell rate
/// algorithm), so that undoing an act gives nothing back, and a limit costs the same however many acts there were. It
/// never allows more than twice the number within one period.
package struct ActLimit: Sendable, Hashable {
    /// The value of `act_limits.kind`, and the limit's name in the API.
    package let name: String
    /// The most acts at once.
    package let count: Int
    /// How long it takes until all of them are free again.
    package let period: Duration
    let words: Words

    /// What people read of a limit.
    struct Words: Hashable {
        let act, counted, again: String
    }

    /// - Parameters:
    ///   - act: what has a limit, as it follows "You can": "react".
    ///   - counted: what the number counts, as it follows the number: "times", "people".
    ///   - again: the next act, as it follows "You can": "react again".
    package init(
        _ name: String, count: Int, per period: Duration, act: String, counted: String = "times", again: String
    ) {
        precondition(count > 0 && period.microseconds >= count, "\(name): no limit")
        self.name = name
        self.count = count
        self.period = period
        words = Words(act: act, counted: counted, again: again)
    }

    /// The ends of blocks.
    static let unblocks = ActLimit(
        "unblocksPerDay", count: 30, per: .seconds(86_400), act: "unblock", counted: "people",
        again: "unblock more people")

    /// The time after which one more act is free, in microseconds; rounded up, so that ``count`` is never exceeded.
    private var interval: Int64 { (period.microseconds + Int64(count) - 1) / Int64(count) }

    /// The moment at which all acts are free again after one more at `now`.
    ///
    /// - Parameter fullAt: that moment before the act; `nil` if all are free. One beyond the period is from a clock
    ///   that was ahead, and counts as none.
    /// - Throws: ``ActLimitReached``.
    package func fullAt(afterActAt now: Timestamp, fullAt: Timestamp?) throws(ActLimitReached) -> Timestamp {
        let length = interval * Int64(count)
        var begin = now.microseconds
        if let fullAt, fullAt > now, fullAt.microseconds <= now.microseconds + length { begin = fullAt.microseconds }
        let end = begin + interval
        guard end <= now.microseconds + length else {
            throw ActLimitReached(limit: self, until: Timestamp(microseconds: end - length))
        }
        return Timestamp(microseconds: end)
    }
}

/// A person has done something as often as its limit allows.
package struct ActLimitReached: Error, Sendable, Equatable {
    package let limit: ActLimit
    /// When the next act is free.
    package let until: Timestamp

    package init(limit: ActLimit, until: Timestamp) { (self.limit, self.until) = (limit, until) }
}

extension VisibilityStore where Access == WriteTransaction {
    /// Counts one act against all of its limits, or against none.
    ///
    /// - Throws: ``ActLimitReached`` for the limit that ends last. The caller must let it roll back the act.
    package func count(_ limits: [ActLimit], by person: PersonKey, now: Timestamp) throws {
        var ends: [(limit: ActLimit, fullAt: Timestamp)] = []
        var reached: ActLimitReached?
        for limit in limits {
            let fullAt: Timestamp? = try transaction.row(
                "SELECT full_at FROM act_limits WHERE person = \(person) AND kind = \(limit.name)")?["full_at"]
            do throws(ActLimitReached) {
                ends.append((limit, try limit.fullAt(afterActAt: now, fullAt: fullAt)))
            } catch {
                if reached.map({ $0.until < error.until }) ?? true { reached = error }
            }
        }
        if let reached { throw reached }
        for end in ends {
            try transaction.run(
                """
                INSERT INTO act_limits (person, kind, full_at) VALUES (\(person), \(end.limit.name), \(end.fullAt))
                ON CONFLICT (person, kind) DO UPDATE SET full_at = excluded.full_at
                """)
        }
    }
}
