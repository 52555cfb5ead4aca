extension Clustering {
    /// Groups a set of records into songs.
    ///
    /// Candidates share a key or an ISRC. The most certain pairs are joined first, and a pair is joined only if no
    /// member of one cluster is held apart from a member of the other. So the order in which pairs are processed
    /// depends only on the records, and a pair in one component of the candidates' graph has no effect on other
    /// components.
    ///
    /// - Parameter members: the records, with each listing only once.
    package func run(_ members: [Member], decisions: IdentityDecisions = IdentityDecisions()) -> Result {
        // From here on, members are numbered in the order of their listings.
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
