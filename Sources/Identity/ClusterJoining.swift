/// A clustering run over members that are ordered by listing.
struct ClusterJoining {
    private struct Edge {
        let rank: Rank
        /// The pair, with the smaller member number first.
        let pair: Pair
    }

    private struct Pair: Hashable {
        let first: Int32
        let second: Int32
    }

    /// The order in which pairs are joined: smaller first.
    private struct Rank: Comparable {
        let hasOtherISRC: Bool
        let isOtherAlbum: Bool
        let difference: Int32

        static func < (left: Rank, right: Rank) -> Bool {
            if left.hasOtherISRC != right.hasOtherISRC { return right.hasOtherISRC }
            if left.isOtherAlbum != right.isOtherAlbum { return right.isOtherAlbum }
            return left.difference < right.difference
        }
    }

    let members: [Clustering.Member]
    private let rules: IdentityRules
    /// The cluster of each member, identified by the number of one of the cluster's members.
    private var clusterOf: [Int32]
    private var membersOf: [Int32: [Int32]] = [:]
    private var together: [Pair] = []
    private var apart: Set<Pair> = []
    private var edges: [Edge] = []
    private var undecided: [Pair] = []

    init(_ members: [Clustering.Member], rules: IdentityRules, decisions: IdentityDecisions) {
        self.members = members
        self.rules = rules
        clusterOf = members.indices.map { Int32($0) }
        guard !decisions.isEmpty else { return }
        var numbers: [Listing: Int32] = [:]
        let decided = Set((decisions.together.union(decisions.apart)).flatMap { [$0.first, $0.second] })
        for (number, member) in members.enumerated() where decided.contains(member.listing) {
            numbers[member.listing] = Int32(number)
        }
        func pairs(_ pairs: Set<IdentityDecisions.Pair>) -> [Pair] {
            pairs.sorted().compactMap { pair in
                guard let first = numbers[pair.first], let second = numbers[pair.second] else { return nil }
                return Pair(first: first, second: second)
            }
        }
        together = pairs(decisions.together)
        apart = Set(pairs(decisions.apart))
    }

    mutating func run() {
        for pair in together { join(pair, outranksRules: true) }
        findPairs()
        edges.sort { left, right in
            if left.rank != right.rank { return left.rank < right.rank }
            return (left.pair.first, left.pair.second) < (right.pair.first, right.pair.second)
        }
        for edge in edges { join(edge.pair, outranksRules: false) }
    }

    // MARK: Candidates

    private mutating func findPairs() {
        var keys: [Candidate] = []
        var codes: [Candidate] = []
        keys.reserveCapacity(members.count + members.count / 4)
        codes.reserveCapacity(members.count)
        for (number, member) in members.enumerated() {
            for key in member.profile.keys { keys.append(Candidate(key: key, member: Int32(number))) }
            if member.profile.code != 0 {
                codes.append(Candidate(key: Int64(member.profile.code), member: Int32(number)))
            }
        }
        visitPairs(of: keys) { $0.look(at: $1, sharing: $2) }
        visitPairs(of: codes) { joining, pair, _ in joining.look(at: pair, sharing: nil) }
    }

    private struct Candidate {
        let key: Int64
        let member: Int32
    }

    /// Visits all pairs of members with equal keys.
    private mutating func visitPairs(of candidates: [Candidate], _ visit: (inout Self, Pair, Int64) -> Void) {
        let sorted = candidates.sorted { ($0.key, $0.member) < ($1.key, $1.member) }
        var start = 0
        while start < sorted.count {
            let key = sorted[start].key
            var end = start + 1
            while end < sorted.count, sorted[end].key == key { end += 1 }
            for left in start..<end {
                for right in (left + 1)..<max(end, left + 1) {
                    visit(&self, Pair(first: sorted[left].member, second: sorted[right].member), key)
                }
            }
            start = end
        }
    }

    /// - Parameter key: a key that both have; `nil` for a pair with the same ISRC.
    private mutating func look(at pair: Pair, sharing key: Int64?) {
        let (left, right) = (members[Int(pair.first)].profile, members[Int(pair.second)].profile)
        // A pair that shares several keys is judged only once.
        if key == nil || left.keys.count > 1 {
            var first: Int64?
            for shared in left.keys where right.keys.contains(shared) { first = min(first ?? shared, shared) }
            guard first == key else { return }
        }
        let judgment = judge(pair)
        switch judgment.verdict {
        case .same:
            edges.append(
                Edge(
                    rank: Rank(
                        hasOtherISRC: left.code == 0 || left.code != right.code,
                        isOtherAlbum: left.album.whole != right.album.whole,
                        difference: Self.difference(left, right)),
                    pair: pair))
        case .undecided: undecided.append(pair)
        case .different: break
        }
    }

    /// The difference for pairs with an unknown duration, which are joined last.
    static let unknown = Int32.max

    /// The difference of the durations in milliseconds.
    static func difference(_ left: IdentityProfile, _ right: IdentityProfile) -> Int32 {
        guard let one = left.record.durationMs, let other = right.record.durationMs else { return unknown }
        return Int32(clamping: (one - other).magnitude)
    }

    private func judge(_ pair: Pair) -> Judgment {
        let (left, right) = (members[Int(pair.first)], members[Int(pair.second)])
        var judgment = Judgment()
        rules.judge(left.profile, right.profile, isOneSource: isOneSource(left, right), into: &judgment)
        return judgment
    }

    func isOneSource(_ left: Clustering.Member, _ right: Clustering.Member) -> Bool {
        left.listing.source != 0 && left.listing.source == right.listing.source
    }

    // MARK: Joining

    private func cluster(_ number: Int32) -> [Int32] { membersOf[number] ?? [number] }

    private mutating func join(_ pair: Pair, outranksRules: Bool) {
        let (left, right) = (clusterOf[Int(pair.first)], clusterOf[Int(pair.second)])
        guard left != right else { return }
        let (mine, others) = (cluster(left), cluster(right))
        for one in mine {
            for other in others {
                let crossing = one < other ? Pair(first: one, second: other) : Pair(first: other, second: one)
                if !apart.isEmpty, apart.contains(crossing) { return }
                if !outranksRules, crossing != pair, judge(crossing).isApart { return }
            }
        }
        if !outranksRules, haveConfirmedCodes(mine, others) { return }
        let (survivor, gone) = mine.count >= others.count ? (left, right) : (right, left)
        for number in cluster(gone) { clusterOf[Int(number)] = survivor }
        membersOf[survivor] = mine + others
        membersOf[gone] = nil
    }

    // MARK: Result

    func result() -> Clustering.Result {
        var result = Clustering.Result()
        // The position of each cluster in the result.
        var positions = [Int32](repeating: -1, count: members.count)
        for number in members.indices {
            let cluster = Int(clusterOf[number])
            if positions[cluster] < 0 {
                positions[cluster] = Int32(result.clusters.count)
                result.clusters.append([])
            }
            result.clusters[Int(positions[cluster])].append(number)
        }
        var best: [Pair: (pair: Pair, comparison: Comparison)] = [:]
        var isExcluded: [Pair: Bool] = [:]
        for pair in undecided {
            let (one, other) = (clusterOf[Int(pair.first)], clusterOf[Int(pair.second)])
            guard one != other else { continue }
            let (left, right) = (positions[Int(one)], positions[Int(other)])
            let clusters = left < right ? Pair(first: left, second: right) : Pair(first: right, second: left)
            if isExcluded[clusters] == nil { isExcluded[clusters] = areKnownToDiffer(one, other) }
            guard isExcluded[clusters] == false else { continue }
            let (first, second) = (members[Int(pair.first)], members[Int(pair.second)])
            let comparison = rules.compare(
                first.profile, second.profile, isOneSource: isOneSource(first, second))
            if let known = best[clusters], !isBefore((pair, comparison), known) { continue }
            best[clusters] = (pair, comparison)
        }
        result.questions = best.sorted { isBefore($0.value, $1.value) }.map { clusters, found in
            Clustering.Question(
                clusters: (Int(clusters.first), Int(clusters.second)),
                members: (Int(found.pair.first), Int(found.pair.second)), comparison: found.comparison)
        }
        return result
    }

    private func isBefore(_ left: (pair: Pair, comparison: Comparison), _ right: (pair: Pair, comparison: Comparison))
        -> Bool
    {
        if left.comparison.likelihood != right.comparison.likelihood {
            return left.comparison.likelihood > right.comparison.likelihood
        }
        return (left.pair.first, left.pair.second) < (right.pair.first, right.pair.second)
    }

    /// Whether a person or the rules hold any members of the two clusters apart.
    private func areKnownToDiffer(_ one: Int32, _ other: Int32) -> Bool {
        cluster(one).contains { left in
            cluster(other).contains { right in
                let pair = left < right ? Pair(first: left, second: right) : Pair(first: right, second: left)
                return apart.contains(pair) || judge(pair).verdict == .different
            }
        }
    }
}
