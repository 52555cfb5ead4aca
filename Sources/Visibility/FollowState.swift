/// How a viewer stands to a person whom they may follow.
package enum FollowState: String, Sendable, CaseIterable {
    case none
    /// The viewer has asked to follow the person, who has not answered.
    case requested
    case following
}
