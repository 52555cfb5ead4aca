/// The observations around those that are new, removed or changed, as far as they matter for deriving listens.
///
/// It finds everything that is connected to the seeds in rounds: ``nextCandidates(_:)`` returns observations that are
/// near in time, and ``connect(_:by:)`` connects those that may be of the same play. The bounds keep the work for each
/// seed constant, whatever the history contains. Only artificial histories reach them.
struct PlayNeighborhood {
    /// Two observations that are near each other in time, as indices of ``plays``.
    struct Candidate {
        let one: Int
        let other: Int
        let nearness: TimeProximity
        /// Whether they describe the song identically.
        let isSameSong: Bool

        /// The order in which the candidates of an observation are examined: the same song first, then the nearest.
        var rank: (Int, Int, Int64, Int) { (isSameSong ? 0 : 1, nearness.kind, nearness.distance, other) }
    }

    /// The most candidates of an observation whose songs are compared: those that are nearest in time.
    static let mostCompared = 64
    /// The most pairs that one observation may have.
    static let mostPairs = 32
    /// For each seed, and each observation in a seed's listen, how many further observations may be connected: more
    /// than there are sources that may report one play.
    static let mostConnectedEach = 8
    /// How many further observations may be connected in total, which allows for a few seeds in a chain of overlapping
    /// plays.
    static let mostConnected = 128

    /// The observations, ordered by their starts.
    let plays: [Play]
    /// The hours whose observations are never joined.
    private let crowded: Set<ListenHour>
    private let hours: ListenHours
    private let placesOfListens: [Int64: [Int]]
    /// No two observations of one play begin farther apart than this, in microseconds.
    private let reach: Int64
    /// The observations to derive again. If it contains an observation, it contains all of that observation's listen.
    private(set) var members: [Int] = []
    private(set) var pairs: [Candidate] = []
    /// Whether something connected begins near the ends of ``hours``, so that more hours have to be read.
    private(set) var reachesFarther = false
    /// How many comparisons of songs were made.
    private(set) var comparisons = 0
    /// How many pairs of observations were examined.
    private(set) var examined = 0
    private var isMember: [Bool]
    private var isExpanded: [Bool]
    private var pairCounts: [Int]
    private var frontier: [Int] = []
    private let limit: Int

    /// - Parameters:
    ///   - plays: the observations of these hours, ordered by their starts; for crowded hours, only the seeds.
    ///   - seeds: indices of `plays`.
    init(_ plays: [Play], hours: ListenHours, crowded: Set<ListenHour>, seeds: [Int]) {
        (self.plays, self.hours, self.crowded) = (plays, hours, crowded)
        var positions: [Int64: [Int]] = [:]
        for (position, play) in plays.enumerated() where play.listenID != 0 {
            positions[play.listenID, default: []].append(position)
        }
        placesOfListens = positions
        reach = plays.reduce(0) { crowded.contains(ListenHour(of: $1)) ? $0 : max($0, $1.reach) }
        isMember = Array(repeating: false, count: plays.count)
        isExpanded = isMember
        pairCounts = Array(repeating: 0, count: plays.count)
        var first: [Int] = []
        for seed in seeds { first += [seed] + Self.mates(of: seed, plays, positions) }
        let count = Set(first).count
        limit = count + count * Self.mostConnectedEach + Self.mostConnected
        for position in first { add(position) }
    }

    private static func mates(of position: Int, _ plays: [Play], _ positions: [Int64: [Int]]) -> [Int] {
        (positions[plays[position].listenID] ?? []).filter { $0 != position }
    }

    private mutating func add(_ position: Int) {
        guard !isMember[position] else { return }
        isMember[position] = true
        members.append(position)
        frontier.append(position)
    }

    /// Returns the candidates of some of the observations that were connected last; empty once everything is found.
    mutating func nextCandidates(_ count: Int = 32) -> [Candidate] {
        var found: [Candidate] = []
        while found.isEmpty, !frontier.isEmpty {
            let expanded = frontier.prefix(count)
            frontier.removeFirst(expanded.count)
            for position in expanded {
                isExpanded[position] = true
                found += candidates(of: position)
            }
        }
        return found
    }

    /// The nearest candidates; observations that describe the song identically come first.
    private mutating func candidates(of position: Int) -> [Candidate] {
        let play = plays[position]
        guard !crowded.contains(ListenHour(of: play)) else { return [] }
        var (found, count) = ([Candidate](), 0)
        func look(at other: Int) -> Bool {
            guard (plays[other].start - play.start).magnitude <= reach.magnitude else { return false }
            guard !isExpanded[other], !crowded.contains(ListenHour(of: plays[other])) else { return true }
            count += 1
            guard !play.hasOrigin(of: plays[other]) || play.isReportedAgain(in: plays[other]),
                let nearness = TimeProximity(play, plays[other])
            else { return true }
            let isSame = plays[other].songID == play.songID
            found.append(Candidate(one: position, other: other, nearness: nearness, isSameSong: isSame))
            return true
        }
        for other in plays.indices[(position + 1)...] where !look(at: other) { break }
        for other in plays.indices[..<position].reversed() where !look(at: other) { break }
        examined += count
        guard found.count > Self.mostCompared else { return found }
        found.sort { $0.rank < $1.rank }
        return Array(found.prefix(Self.mostCompared))
    }

    /// Connects the candidates whose songs may be the same.
    mutating func connect(_ candidates: [Candidate], by matching: inout SongMatching) {
        for candidate in candidates.sorted(by: { $0.nearness < $1.nearness }) {
            guard pairCounts[candidate.one] < Self.mostPairs, pairCounts[candidate.other] < Self.mostPairs else {
                continue
            }
            if !candidate.isSameSong { comparisons += 1 }
            let isOne = matching.mayBeOne(plays[candidate.one].songID, plays[candidate.other].songID)
            guard isOne, include(candidate.other) else { continue }
            pairs.append(candidate)
            pairCounts[candidate.one] += 1
            pairCounts[candidate.other] += 1
        }
    }

    /// Adds an observation with all of its listen, unless part of that may not have been read, or the limit would be
    /// exceeded.
    ///
    /// - Returns: whether the observation is a member now.
    private mutating func include(_ position: Int) -> Bool {
        guard !isMember[position] else { return true }
        guard hours.includesAllNear(plays[position].start) else {
            reachesFarther = true
            return false
        }
        let mates = Self.mates(of: position, plays, placesOfListens)
        guard members.count + mates.count < limit else { return false }
        add(position)
        for mate in mates { add(mate) }
        return true
    }
}
