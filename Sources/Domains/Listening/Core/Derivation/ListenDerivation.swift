/// Derives listens from observations. The result depends only on the observations, not on their order of arrival.
struct ListenDerivation {
    /// The observations, ordered by their starts.
    let plays: [Play]
    private let pairs: [Pair]
    private let keys: [Key]

    /// Two observations that may be of the same play.
    fileprivate struct Pair {
        let one: Int
        let other: Int
        let nearness: TimeProximity
    }

    /// Orders observations by what they report.
    private struct Key: Comparable {
        let start: Int64
        let source: Int
        let song: Int64
        let client: String
        let time: Int64
        let played: Int

        static func < (left: Key, right: Key) -> Bool {
            if left.start != right.start { return left.start < right.start }
            if left.source != right.source { return left.source < right.source }
            if left.song != right.song { return left.song < right.song }
            if left.client != right.client { return left.client < right.client }
            return (left.time, left.played) < (right.time, right.played)
        }
    }

    /// - Parameters:
    ///   - neighborhood: the observations whose listens are derived.
    ///   - saidKeys: the keys of the observations' songs, which do not depend on the order of arrival
    ///     (``SongDescription/key``).
    init(_ neighborhood: PlayNeighborhood, saidKeys: [Int64: Int64]) {
        let members = neighborhood.members.sorted()
        let places = Dictionary(uniqueKeysWithValues: members.enumerated().map { ($1, $0) })
        plays = members.map { neighborhood.plays[$0] }
        pairs = neighborhood.pairs.compactMap { pair in
            guard let one = places[pair.one], let other = places[pair.other] else { return nil }
            return Pair(one: min(one, other), other: max(one, other), nearness: pair.nearness)
        }
        keys = plays.map {
            Key(
                start: $0.start, source: $0.source.number, song: saidKeys[$0.songID] ?? 0, client: $0.client ?? "",
                time: $0.time, played: $0.playedMilliseconds ?? -1)
        }
    }

    /// Observations that are connected by pairs, directly or through others.
    struct Connection {
        /// Indices of ``plays``.
        fileprivate(set) var members: [Int] = []
        fileprivate var pairs: [Pair] = []
    }

    func connections() -> [Connection] {
        var parents = Array(plays.indices)
        func root(_ index: Int) -> Int {
            var index = index
            while parents[index] != index {
                parents[index] = parents[parents[index]]
                index = parents[index]
            }
            return index
        }
        for pair in pairs {
            let (one, other) = (root(pair.one), root(pair.other))
            if one != other { parents[max(one, other)] = min(one, other) }
        }
        var found: [Int: Connection] = [:]
        for index in plays.indices { found[root(index), default: Connection()].members.append(index) }
        for pair in pairs { found[root(pair.one)]?.pairs.append(pair) }
        return found.keys.sorted().compactMap { found[$0] }
    }

    /// Derives the listens of connected observations. Each is a list of indices of ``plays``.
    ///
    /// The nearest pairs are joined first. Any two observations of a listen are near each other, either by what they
    /// report themselves or with the length that a third one reports. So a listen has one observation from each source
    /// and program, unless that source and program reported the play again.
    ///
    /// - Parameter gone: the keys of observations to leave out.
    func listens(of connection: Connection, without gone: Set<Int64> = []) -> [[Int]] {
        var connection = connection
        if !gone.isEmpty {
            connection.members.removeAll { gone.contains(plays[$0].id) }
            connection.pairs.removeAll { gone.contains(plays[$0.one].id) || gone.contains(plays[$0.other].id) }
        }
        guard !connection.members.isEmpty else { return [] }
        guard connection.members.count > 1 else { return [connection.members] }
        let ranked =
            connection.pairs
            .map { pair in
                keys[pair.other] < keys[pair.one]
                    ? Pair(one: pair.other, other: pair.one, nearness: pair.nearness) : pair
            }
            .sorted { left, right in
                if left.nearness != right.nearness { return left.nearness < right.nearness }
                if keys[left.one] != keys[right.one] { return keys[left.one] < keys[right.one] }
                return keys[left.other] < keys[right.other]
            }
        var near: [Int: Set<Int>] = [:]
        for pair in ranked {
            near[pair.one, default: []].insert(pair.other)
            near[pair.other, default: []].insert(pair.one)
        }
        var groups = Dictionary(uniqueKeysWithValues: connection.members.map { ($0, [$0]) })
        var groupOf = Dictionary(uniqueKeysWithValues: connection.members.map { ($0, $0) })
        for pair in ranked {
            guard let one = groupOf[pair.one], let other = groupOf[pair.other], one != other,
                let members = groups[one], let others = groups[other],
                members.allSatisfy({ member in
                    others.allSatisfy { other in
                        near[member]?.contains(other) == true || isBridged(member, other, by: members + others, near)
                    }
                })
            else { continue }
            groups[one] = members + others
            groups[other] = nil
            for member in others { groupOf[member] = one }
        }
        return groups.values.map { $0.sorted { keys[$0] < keys[$1] } }.sorted { keys[$0[0]] < keys[$1[0]] }
    }

    /// Whether two observations are near each other, given the length that a third one reports, which is near both.
    private func isBridged(_ one: Int, _ other: Int, by members: [Int], _ near: [Int: Set<Int>]) -> Bool {
        guard !plays[one].hasOrigin(of: plays[other]) else { return false }
        return members.contains { between in
            guard let length = plays[between].length, near[between]?.isSuperset(of: [one, other]) == true else {
                return false
            }
            return TimeProximity(plays[one], plays[other], lasting: length) != nil
        }
    }

    /// The observation whose values a listen shows: the one from the best source with exact times.
    func shown(of members: [Int]) -> Int {
        func rank(_ index: Int) -> (Int, Int) {
            (plays[index].precision == .minute ? 1 : 0, plays[index].source.rank)
        }
        return members.min { rank($0) != rank($1) ? rank($0) < rank($1) : keys[$0] < keys[$1] } ?? members[0]
    }
}
