extension Clustering {
    /// Finds the songs of a set of records.
    ///
    /// - Parameter members: each listing once.
    package func run(_ members: [Member], decisions: IdentityDecisions = IdentityDecisions()) -> Result {
        var byKey: [Int64: [Int]] = [:]
        for (index, member) in members.enumerated() { byKey[member.profile.keys[0], default: []].append(index) }
        var result = Result()
        result.clusters = byKey.values.map { $0.sorted { members[$0].listing < members[$1].listing } }
            .sorted { members[$0[0]].listing < members[$1[0]].listing }
        return result
    }
}
