import Identity
import Model

/// What a person decided about source tracks: that they are one song, or that they are several.
package struct TrackDecision: Sendable, Hashable, Identifiable {
    package enum Kind: String, Sendable, CaseIterable {
        case merge, split
    }

    package var id: LibraryID
    package var kind: Kind
    package var at: Timestamp
    /// The source tracks that it is about, in parts: those of one part stay together if ``holdsSides``, and those of
    /// different parts are different songs. A merge has one part.
    var sides: [[Listing]]
    /// The track that was split. Its id stays with the first part while the decision holds, and is where it was before
    /// once that is undone. `nil` if no track was split, or an earlier release has split it.
    var splitTrack: Int64?
    /// Whether the person's word holds each part together, whatever the rules say. A merge does.
    var holdsSides: Bool

    var listings: [Listing] { sides.flatMap { $0 } }
}

extension IdentityDecisions {
    /// - Parameter decisions: the earliest first. Where two are about one pair, the later one counts.
    init(_ decisions: [TrackDecision]) {
        self.init()
        for decision in decisions {
            if decision.holdsSides {
                for side in decision.sides {
                    for (index, one) in side.enumerated() {
                        for other in side[..<index] { holdTogether(one, other) }
                    }
                }
            }
            for (index, side) in decision.sides.enumerated() {
                for one in side {
                    for other in decision.sides[..<index].joined() { holdApart(one, other) }
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
    /// Fewer than two tracks are left, since some of the ids stand for one track.
    case oneTrack
    /// The person has called the tracks different before.
    case alreadyApart
    /// A part would have no source tracks.
    case splitsNothing
}
