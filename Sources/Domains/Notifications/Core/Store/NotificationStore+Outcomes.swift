import Model
import NotificationSources
import Storage
import Visibility

/// What becomes of an intent after a try to send it.
package enum PushEnding: Sendable, Equatable {
    /// The service has accepted it.
    case sent
    /// It means nothing any more, nothing may be shown, or the service would never accept it.
    case dropped
    /// It is sent again, at this moment or later.
    case again(at: Timestamp)
    /// The service asks to wait, so that nothing is sent to the target before this moment.
    case paused(until: Timestamp)
    /// There was no answer, so that it may have arrived. It is sent again after a while, which grows.
    case unanswered
    /// The target is gone for good.
    case targetGone
    /// The service refuses the credentials, and answers this.
    case refused(answer: String)
}

extension NotificationStore where Access == WriteTransaction {
    /// Writes what became of a delivery.
    ///
    /// - Parameter interval: the shortest time between two pushes of its kind.
    /// - Returns: the host, if it is from now on one that refuses the installation.
    @discardableResult
    package func finish(
        _ delivery: PushDelivery, as ending: PushEnding, interval: Duration, now: Timestamp
    ) throws -> PushRefusal? {
        let (person, id) = (delivery.target.person, delivery.target.id)
        guard let target = try target(id, of: person) else { return nil }
        switch ending {
        case .sent:
            // A later event that came meanwhile is owed, but not at once.
            try transaction.run(
                """
                UPDATE push_intents
                SET state = \(Self.stateAfter(delivery)),
                    sent_number = CASE WHEN sent_number > \(delivery.number)
                        THEN sent_number ELSE \(delivery.number) END,
                    sent_at = \(now), due_at = \(now.advanced(by: interval)), attempts = 0, has_waited = 0
                WHERE person = \(person) AND group_key = \(delivery.group) AND target = \(id)
                """)
            try transaction.run(
                "UPDATE push_targets SET sent_at = \(now), refused_at = NULL WHERE person = \(person) AND id = \(id)")
            if target.channel == .webPush {
                try transaction.run("DELETE FROM push_refusals WHERE host = \(target.host)")
            }
        case .dropped: try drop(delivery)
        case .again(let moment): try wait(delivery, until: moment, attempts: delivery.attempts)
        case .unanswered:
            let pause = Duration.seconds(min(3_600, 30 << min(delivery.attempts, 7)))
            try wait(delivery, until: now.advanced(by: pause), attempts: delivery.attempts + 1)
        // The target was posted again meanwhile: the answer may be about an address or a token that it no longer has.
        case .targetGone where target.confirmedAt != delivery.confirmedAt,
            .refused where target.confirmedAt != delivery.confirmedAt:
            try wait(delivery, until: now, attempts: delivery.attempts)
        case .paused(let moment) where target.confirmedAt != delivery.confirmedAt:
            try wait(delivery, until: moment, attempts: delivery.attempts)
        case .paused(let moment): try pause(target, of: person, until: moment)
        case .targetGone: try deleteTarget(id, of: person)
        case .refused(let answer): return try refuse(delivery, target, answer: answer, now: now)
        }
        return nil
    }

    /// Writes that an intent that nobody has taken is not sent.
    func finish(_ intent: PushIntent, as ending: PushEnding, now: Timestamp) throws {
        let (person, id) = (intent.target.person, intent.target.id)
        try transaction.run(
            """
            UPDATE push_intents SET state = \(PushState.done.sql), sent_number = number, has_waited = 0
            WHERE person = \(person) AND group_key = \(intent.group) AND target = \(id)
            """)
    }

    /// Has an intent wait for the end of quiet hours.
    func delay(_ intent: PushIntent, until moment: Timestamp) throws {
        try transaction.run(
            """
            UPDATE push_intents SET due_at = \(moment), has_waited = 1
            WHERE person = \(intent.target.person) AND group_key = \(intent.group) AND target = \(intent.target.id)
            """)
    }

    /// Has an intent wait for the end of its target's pause.
    func postpone(_ intent: PushIntent, until moment: Timestamp) throws {
        try transaction.run(
            """
            UPDATE push_intents SET due_at = \(moment)
            WHERE person = \(intent.target.person) AND group_key = \(intent.group) AND target = \(intent.target.id)
            """)
    }

    /// Has everything wait that is to be pushed to a target. What was seen meanwhile is not sent again.
    func pause(_ target: PushTarget, of person: PersonKey, until moment: Timestamp) throws {
        try transaction.run(
            "UPDATE push_targets SET paused_until = \(moment) WHERE person = \(person) AND id = \(target.id)")
        try transaction.run(
            """
            UPDATE push_intents
            SET due_at = CASE WHEN due_at > \(moment) THEN due_at ELSE \(moment) END,
                state = CASE WHEN state = \(PushState.taken.sql) THEN \(PushState.waiting.sql) ELSE state END
            WHERE person = \(person) AND target = \(target.id) AND state <> \(PushState.done.sql)
            """)
    }

    /// The state of an intent of which a delivery is finished. A later event is owed unless it was seen, also where what
    /// the delivery reports was seen before.
    private static func stateAfter(_ delivery: PushDelivery) -> SQL {
        """
        CASE WHEN number > \(delivery.number) AND state <> \(PushState.done.sql)
            THEN \(PushState.waiting.sql) ELSE \(PushState.done.sql) END
        """
    }

    private func drop(_ delivery: PushDelivery) throws {
        try transaction.run(
            """
            UPDATE push_intents
            SET state = \(Self.stateAfter(delivery)),
                sent_number = CASE WHEN sent_number > \(delivery.number)
                    THEN sent_number ELSE \(delivery.number) END, has_waited = 0
            WHERE person = \(delivery.target.person) AND group_key = \(delivery.group)
                AND target = \(delivery.target.id)
            """)
    }

    /// What was seen meanwhile is not sent again.
    private func wait(_ delivery: PushDelivery, until moment: Timestamp, attempts: Int) throws {
        try transaction.run(
            """
            UPDATE push_intents SET state = \(PushState.waiting.sql), due_at = \(moment), attempts = \(attempts)
            WHERE person = \(delivery.target.person) AND group_key = \(delivery.group)
                AND target = \(delivery.target.id) AND state = \(PushState.taken.sql)
            """)
    }
}
