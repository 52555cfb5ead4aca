import Storage

/// The state of an intent to push a group to a target.
enum PushState: Int64, SQLConvertible, Sendable {
    /// The gateway has not decided yet when it is due.
    case new = 0
    /// Sent when it is due.
    case waiting = 1
    /// A worker is sending it.
    case taken = 2
    /// Sent or seen. The row stays, since a further event of the group is pushed a while after.
    case done = 3
}

/// An intent that a worker has taken to send.
package struct PushDelivery: Sendable, Hashable {
    package let target: PushTargetKey
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
