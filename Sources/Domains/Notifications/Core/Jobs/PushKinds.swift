import Contracts
import JobStorage
import Model

extension TypedJobKind where Payload == NoPayload, Result == PushResult {
    /// Sends all pushes that are due, to all services. One runs at a time.
    package static var notificationsPush: Self {
        Self(
            JobKind(
                name: "notifications.push", version: 1, submitter: .system,
                // From one write of outcomes to the next: a call takes at most some twenty seconds.
                maximumRunTime: .seconds(300),
                // There are many, and each says little.
                retention: .seconds(600), maximumRunning: 1))
    }
}

/// The result of `notifications.push`.
package struct PushResult: Codable, Sendable, Equatable {
    /// How many pushes were accepted by services.
    package var sent: Int
    /// How many meant nothing any more when they were due, or were refused for good.
    package var dropped: Int
    /// How many wait for another try.
    package var waiting: Int

    package init(sent: Int = 0, dropped: Int = 0, waiting: Int = 0) {
        (self.sent, self.dropped, self.waiting) = (sent, dropped, waiting)
    }
}

/// The state of a run of `notifications.push`. What was sent is in the rows of intents.
package struct PushRunState: CheckpointState, Equatable {
    package var result = PushResult()
    /// How many due intents were finished.
    package var finished = 0

    package init() {}

    package var workDone: Int { finished }
}
