/// What people decided about pairs of listings. Decisions outrank all rules.
///
/// If two decisions contradict each other, holding apart wins: the caller passes only the latest decision about a pair,
/// and a pair that is held together through others but held apart itself stays apart.
package struct IdentityDecisions: Sendable, Hashable {
    /// Two listings, the smaller one first.
    package struct Pair: Sendable, Hashable, Comparable {
        package let first: Listing
        package let second: Listing

        package init(_ one: Listing, _ other: Listing) {
            (first, second) = one < other ? (one, other) : (other, one)
        }

        package static func < (left: Pair, right: Pair) -> Bool {
            left.first == right.first ? left.second < right.second : left.first < right.first
        }
    }

    package private(set) var together: Set<Pair> = []
    package private(set) var apart: Set<Pair> = []

    package init() {}

    package var isEmpty: Bool { together.isEmpty && apart.isEmpty }

    /// Two records are one song, whatever the rules say.
    package mutating func unite(_ one: Listing, _ other: Listing) {
        guard one != other else { return }
        apart.remove(Pair(one, other))
        together.insert(Pair(one, other))
    }

    /// Two records are two songs, whatever the rules say.
    package mutating func separate(_ one: Listing, _ other: Listing) {
        guard one != other else { return }
        together.remove(Pair(one, other))
        apart.insert(Pair(one, other))
    }
}
