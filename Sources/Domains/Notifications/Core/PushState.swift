import Model
import Storage

/// The state of an intent to push a group to a target: `push_intents.state`.
enum PushState: Sendable {
    /// The gateway has not decided yet when it is due.
    case new
    /// Sent when it is due.
    case waiting
    /// A worker is sending it.
    case taken
    /// Sent or seen. The row stays, since a further event of the group is pushed a while after.
    case done

    /// Its number, as part of a statement: a bound value would hide from the database which index has the rows.
    var sql: SQL {
        switch self {
        case .new: "0"
        case .waiting: "1"
        case .taken: "2"
        case .done: "3"
        }
    }
}

/// An intent that a worker has taken to send.
package struct PushDelivery: Sendable, Hashable {
    package let target: PushTargetKey
    /// When the target was last posted before the intent was taken.
    package let confirmedAt: Timestamp
    package let userID: String
    package let group: Int64
    package let kind: String
    /// The number of the last event that it reports.
    package let number: Int64
    /// How often it was not answered.
    package let attempts: Int
    package let endsAt: Int64
    /// Whether it has waited for the end of quiet hours.
    package let hasWaited: Bool
}
