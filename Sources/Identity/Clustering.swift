/// Groups a set of records into songs.
///
/// The result depends only on the set of records and the decisions, not on their order, nor on the results of earlier
/// runs.
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

    /// Two clusters that may be the same song.
    package struct Question: Sendable {
        /// Positions in ``Result/clusters``, the smaller one first.
        package let clusters: (Int, Int)
        /// The most similar members, one from each cluster, as positions in the given records.
        package let members: (Int, Int)
        package let comparison: Comparison
    }

    package struct Result: Sendable {
        /// Positions in the given records. Members are ordered by listing, clusters by their first listing.
        package var clusters: [[Int]] = []
        /// Likely duplicates, the most likely first.
        package var questions: [Question] = []
    }
}
