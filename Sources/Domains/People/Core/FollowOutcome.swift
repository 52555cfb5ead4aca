import Visibility

/// What following a person has led to.
package struct FollowOutcome: Sendable, Equatable {
    package let state: FollowState
    /// Whether this is the first follow of the two in this direction, or the first request. The person is notified of
    /// the first one only.
    package let isFirst: Bool
}
