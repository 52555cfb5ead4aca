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
    package var sides: [[Listing]]
    /// The track that was split. Its id stays with the first part while the decision is in effect, and returns to where
    /// it was before once the decision is undone. `nil` if no track was split.
    package var splitTrack: Int64?
    /// Whether the decision keeps each part together, regardless of the rules. A merge does.
    package var holdsSides: Bool

    package init(
        id: LibraryID, kind: Kind, at: Timestamp, sides: [[Listing]], splitTrack: Int64? = nil, holdsSides: Bool
    ) {
        (self.id, self.kind, self.at) = (id, kind, at)
        (self.sides, self.splitTrack, self.holdsSides) = (sides, splitTrack, holdsSides)
    }

    /// All source tracks that the decision concerns.
    package var listings: [Listing] { sides.flatMap { $0 } }
}
