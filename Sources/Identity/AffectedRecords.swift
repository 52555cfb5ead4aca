/// Finds the records that a change may affect: those that candidate keys, equal ISRCs and decisions connect to it.
///
/// No cluster extends beyond them, so running over them alone gives the same result as running over the whole library.
/// The search proceeds in rounds: the caller looks up what ``next()`` asks for and adds what it finds, until there is
/// nothing left to ask for.
///
/// A record that changed or was removed may have linked others, so its former keys and ISRC must be added as well.
package struct AffectedRecords: Sendable {
    /// What to look up in the library. Each value is asked for only once.
    package struct Lookup: Sendable, Hashable {
        package var keys: [Int64] = []
        /// ISRCs in their compact form.
        package var isrcs: [String] = []
        /// Listings that a decision connects to a record that was found.
        package var listings: [Listing] = []

        package var isEmpty: Bool { keys.isEmpty && isrcs.isEmpty && listings.isEmpty }
    }

    /// All records found so far, in the order in which they were added.
    package private(set) var members: [Clustering.Member] = []

    private let partners: [Listing: [Listing]]
    private var seenListings: Set<Listing> = []
    private var askedKeys: Set<Int64> = []
    private var askedISRCs: Set<String> = []
    private var askedListings: Set<Listing> = []
    private var pending = Lookup()

    /// - Parameter decisions: those that may concern the records; others have no effect.
    package init(decisions: IdentityDecisions = IdentityDecisions()) {
        var partners: [Listing: [Listing]] = [:]
        // Pairs that are held apart matter only to each other, and only if something else connects them.
        for pair in decisions.together.sorted() {
            partners[pair.first, default: []].append(pair.second)
            partners[pair.second, default: []].append(pair.first)
        }
        self.partners = partners
    }

    /// Adds a record that changed or was found. One that was added before is ignored.
    package mutating func add(_ member: Clustering.Member) {
        guard seenListings.insert(member.listing).inserted else { return }
        members.append(member)
        ask(keys: member.profile.keys, isrc: member.profile.isrc)
        ask(partnersOf: member.listing)
    }

    /// Asks for the neighbors of a record's former state, or of a removed record.
    package mutating func addFormer(_ listing: Listing, keys: [Int64], isrc: String?) {
        ask(keys: keys, isrc: isrc)
        ask(partnersOf: listing)
    }

    /// Returns what to look up next; `nil` once all records that may be affected were added.
    package mutating func next() -> Lookup? {
        defer { pending = Lookup() }
        pending.listings.removeAll { seenListings.contains($0) }
        return pending.isEmpty ? nil : pending
    }

    private mutating func ask(keys: [Int64], isrc: String?) {
        for key in keys where askedKeys.insert(key).inserted { pending.keys.append(key) }
        if let isrc, askedISRCs.insert(isrc).inserted { pending.isrcs.append(isrc) }
    }

    private mutating func ask(partnersOf listing: Listing) {
        for partner in partners[listing] ?? [] where askedListings.insert(partner).inserted {
            pending.listings.append(partner)
        }
    }
}
