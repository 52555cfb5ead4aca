import Storage

/// What people can say of a share with one press.
package enum ShareReaction: String, Sendable, CaseIterable {
    case heart, fire, laugh, wow, sad, dance

    /// The value of `share_reactions.reaction`.
    package var number: Int64 {
        switch self {
        case .heart: 1
        case .fire: 2
        case .laugh: 3
        case .wow: 4
        case .sad: 5
        case .dance: 6
        }
    }

    /// - Returns: `nil` for a reaction of a later version.
    init?(number: Int64) {
        guard let reaction = Self.allCases.first(where: { $0.number == number }) else { return nil }
        self = reaction
    }
}

/// What people have said of a share, as one of them sees it: without those whom a block hides from each other.
package struct ShareReactions: Sendable, Hashable {
    package var counts: [ShareReaction: Int] = [:]
    /// How many people have thanked for it.
    package var thanks = 0
    /// The viewer's own reaction.
    package var mine: ShareReaction?
    /// Whether the viewer has thanked.
    package var hasThanked = false
}
