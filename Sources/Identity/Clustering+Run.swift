extension Clustering {
    /// Finds the songs of a set of records.
    ///
    /// Candidates share a key or an ISRC. The surest pairs are joined first, and a pair is joined only if no member of
    /// one cluster is apart from a member of the other. So the order in which pairs are looked at follows from the
    /// records, and a pair in one part of the candidates' graph has no effect on another part.
    ///
    /// - Parameter members: each listing once.
    package func run(_ members: [Member], decisions: IdentityDecisions = IdentityDecisions()) -> Result {
        // From here on, the numbers of members are their places by listing.
        let order = members.indices.sorted { members[$0].listing < members[$1].listing }
        var joining = ClusterJoining(order.map { members[$0] }, rules: rules, decisions: decisions)
        joining.run()
        var result = joining.result()
        for index in result.clusters.indices { result.clusters[index] = result.clusters[index].map { order[$0] } }
        result.questions = result.questions.map { question in
            Question(
                clusters: question.clusters, members: (order[question.members.0], order[question.members.1]),
                comparison: question.comparison)
        }
        return result
    }
}
