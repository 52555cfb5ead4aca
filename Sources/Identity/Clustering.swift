/// Finds the songs of a set of records.
///
/// The result follows from the set of records and the decisions alone. Their order does not matter, and neither does
/// what an earlier run found.
package struct Clustering: Sendable {
    package let rules: IdentityRules

    package init(rules: IdentityRules = IdentityRules()) {
        self.rules = rules
    }

    /// A record among those to cluster.
    package struct Member: Sendable {
        package let listing: Listing
        package let profile: IdentityProfile

        package init(listing: Listing, profile: IdentityProfile) {
            self.listing = listing
            self.profile = profile
        }
    }

    /// Two clusters that may be one song.
    package struct Question: Sendable {
        /// Positions in ``Result/clusters``, the smaller one first.
        package let clusters: (Int, Int)
        /// The members that are most alike, one of each cluster, as positions in the records given.
        package let members: (Int, Int)
        package let comparison: Comparison
    }

    package struct Result: Sendable {
        /// Positions in the records given. Members are ordered by listing, clusters by their first listing.
        package var clusters: [[Int]] = []
        /// Likely duplicates, the likeliest first.
        package var questions: [Question] = []
    }
}
