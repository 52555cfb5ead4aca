import Identity
import Model

/// A user's decision that some source tracks are one song, or that they are several.
package struct TrackDecision: Sendable, Hashable, Identifiable {
    package enum Kind: String, Sendable, CaseIterable {
        case merge, split
    }

    package var id: LibraryID
    package var kind: Kind
    package var at: Timestamp
    /// The source tracks that the decision concerns, in parts: the source tracks of one part stay together if
    /// ``holdsSides``, and those of different parts are different songs. A merge has one part.
    var sides: [[Listing]]
    /// The track that was split. Its id stays with the first part while the decision is in effect, and returns to where
    /// it was before once the decision is undone. `nil` if no track was split.
    var splitTrack: Int64?
    /// Whether the decision keeps each part together, regardless of the rules. A merge does.
    var holdsSides: Bool

    var listings: [Listing] { sides.flatMap { $0 } }
}

extension IdentityDecisions {
    /// - Parameter decisions: the decisions, earliest first. If two of them concern the same pair, the later one
    ///   counts.
    init(_ decisions: [TrackDecision]) {
        self.init()
        for decision in decisions {
            if decision.holdsSides {
                for side in decision.sides {
                    for (index, one) in side.enumerated() {
                        for other in side[..<index] { unite(one, other) }
                    }
                }
            }
            for (index, side) in decision.sides.enumerated() {
                for one in side {
                    for other in decision.sides[..<index].joined() { separate(one, other) }
                }
            }
        }
    }
}

/// Why a decision about tracks is refused. Nothing was changed.
package enum TrackDecisionError: Error, Sendable, Hashable {
    case noTrack
    /// The track has no such source track.
    case noSourceTrack
    case noDecision
    /// Fewer than two tracks are left, since some of the ids refer to the same track.
    case oneTrack
    /// The user has already declared the tracks different.
    case alreadyApart
    /// A part would have no source tracks.
    case splitsNothing
}
