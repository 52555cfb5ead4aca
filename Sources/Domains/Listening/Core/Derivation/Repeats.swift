/// Finds what a source has reported before: the same song at the same time. A row of our own export also repeats what
/// any other source has reported, with the same start and the same words.
struct Repeats {
    /// Of the plays that a source and program reported for one time, only the songs of the first ones are compared by
    /// the rules of identity. These remain the first, whatever is reported later, so a file that is imported again
    /// finds the same repeats. A song that is described identically is recognized among any number.
    static let mostCompared = 32

    private struct Moment: Hashable {
        let source: ListenSource
        let client: String?
        let time: Int64

        init(_ play: Play) { (source, client, time) = (play.source, play.client, play.time) }
    }

    private struct Reports {
        /// The first plays, in order of arrival.
        var first: [Play] = []
        var bySong: [Int64: [Play]] = [:]
    }

    private var told: [Moment: Reports] = [:]
    /// The first plays with each start, in order of arrival.
    private var byStart: [Int64: [Play]] = [:]
    /// How many comparisons of songs were made.
    private(set) var comparisons = 0

    /// - Parameter plays: the known plays, in any order.
    init(_ plays: [Play]) {
        add(plays)
    }

    /// - Parameter plays: in any order. They must have arrived after those that were added before.
    mutating func add(_ plays: [Play]) {
        for play in plays.sorted(by: { $0.id < $1.id }) { add(play) }
    }

    mutating func add(_ play: Play) {
        if byStart[play.start, default: []].count < Self.mostCompared { byStart[play.start, default: []].append(play) }
        let moment = Moment(play)
        told[moment, default: Reports()].bySong[play.songID, default: []].append(play)
        if told[moment, default: Reports()].first.count < Self.mostCompared {
            told[moment, default: Reports()].first.append(play)
        }
    }

    /// The songs with which the songs of incoming plays are compared.
    func songsToCompare(_ incoming: [Play]) -> Set<Int64> {
        Set(incoming.flatMap { (told[Moment($0)]?.first ?? []) + (exported($0) ?? []) }.map(\.songID))
    }

    /// The plays that a row of our own export may repeat. Rows of one file are told apart like those of any other.
    private func exported(_ play: Play) -> [Play]? {
        guard play.isExported else { return nil }
        return byStart[play.start]?.filter { play.importID == nil || $0.importID != play.importID }
    }

    mutating func former(of play: Play, _ matching: inout SongMatching) -> Play? {
        if let known = exported(play)?.first(where: { matching.haveSameWords($0.songID, play.songID) }) { return known }
        guard let told = told[Moment(play)] else { return nil }
        func isRepeated(_ former: Play) -> Bool {
            !play.source.repeatsHaveSameLength || former.playedMilliseconds == play.playedMilliseconds
        }
        if let same = told.bySong[play.songID]?.first(where: isRepeated) { return same }
        for former in told.first where isRepeated(former) {
            comparisons += 1
            if matching.mayBeOne(former.songID, play.songID) { return former }
        }
        return nil
    }
}
