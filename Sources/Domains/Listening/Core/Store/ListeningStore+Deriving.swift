import Model
import Storage

/// A part of a history whose listens are to be derived again.
struct Rederivation {
    let history: Int64
    let userID: String
    /// New observations, which are written after the derivation.
    var added: [Play] = []
    /// Observations that were removed, in their former state.
    var removed: [Play] = []
    /// Observations that were changed, in the state that the database has now.
    var changed: [Play] = []
    /// The hashes of the songs of added and removed observations.
    var saidKeys: [Int64: Int64] = [:]

    /// The margin around new observations, in microseconds: everything that may be near them and a little more, since
    /// something near them that begins earlier would make a second read necessary.
    static let margin = Play.reach + 600_000_000
    /// The margin, in microseconds, if something connected to them reaches farther. What lies beyond stays as it is.
    static let wideMargin: Int64 = 6 * 3_600_000_000

    var touched: [Play] { added + removed + changed }
}

/// The result of a derivation.
struct RederivationResult {
    var newListens = 0
    /// The listens of the added observations, by their keys.
    var listenIDs: [Int64: Int64] = [:]
    var work = DerivationWork()
}

private struct ListenRow: Hashable {
    var id: Int64
    var startedAt: Int64
    var songID: Int64
    var playedMilliseconds: Int?
    var sources: Int
}

private let insertListen = ConstantSQL(
    "INSERT INTO listens (history_id, started_at, id, song_id, played_ms, sources) VALUES (?, ?, ?, ?, ?, ?)")

private let moveObservation = ConstantSQL(
    "UPDATE listen_observations SET listen_id = ? WHERE history_id = ? AND started_at = ? AND id = ?")

extension ListeningStore where Access == WriteTransaction {
    /// Derives again the listens that have added, removed or changed observations, or are connected to such.
    func derive(_ work: Rederivation, now: Timestamp) throws -> RederivationResult {
        var (cost, matching) = (DerivationWork(), SongMatching())
        var found = try neighborhood(of: work, margin: Rederivation.margin, &matching, &cost)
        if found.neighborhood.reachesFarther {
            found = try neighborhood(of: work, margin: Rederivation.wideMargin, &matching, &cost)
        }
        let derivation = ListenDerivation(found.neighborhood, saidKeys: found.saidKeys)
        let gone = Set(work.removed.map(\.id))
        let groups = derivation.connections().flatMap { derivation.listens(of: $0, without: gone) }
        let former = Set(derivation.plays.map(\.listenID)).subtracting([0])
        var result = try write(groups, of: derivation, former: former, work, now: now)
        cost.writes += result.work.writes
        result.work = cost
        return result
    }

    /// Finds everything that is connected to the affected observations.
    private func neighborhood(
        of work: Rederivation, margin: Int64, _ matching: inout SongMatching, _ cost: inout DerivationWork
    ) throws -> (neighborhood: PlayNeighborhood, saidKeys: [Int64: Int64]) {
        let touched = work.touched
        let hours = ListenHours(around: touched.map(\.start), margin: margin)
        var loaded = try plays(in: hours, history: work.history)
        cost.rows += loaded.rows
        loaded.saidKeys.merge(work.saidKeys) { known, _ in known }
        let change = CrowdingChange(loaded, work)
        let mates = try joinedInCrowds(work.removed + work.changed, loaded.crowded, history: work.history)
        loaded.saidKeys.merge(mates.saidKeys) { known, _ in known }
        var known = Set(loaded.plays.map(\.id))
        for play in touched + mates.plays where known.insert(play.id).inserted { loaded.plays.append(play) }
        loaded.plays.sort { ($0.start, $0.id) < ($1.start, $1.id) }
        let keys = Set(touched.map(\.id))
        let seeds = loaded.plays.indices.filter {
            keys.contains(loaded.plays[$0].id) || change.changed.contains(ListenHour(of: loaded.plays[$0]))
        }
        var found = PlayNeighborhood(loaded.plays, hours: hours, crowded: change.crowded, seeds: seeds)
        // If more hours have to be read, all of it is done again.
        while margin == Rederivation.wideMargin || !found.reachesFarther,
            case let candidates = found.nextCandidates(), !candidates.isEmpty
        {
            let songs = Set(candidates.flatMap { [loaded.plays[$0.one].songID, loaded.plays[$0.other].songID] })
            matching.add(try self.songs(matching.unknown(songs), history: work.history))
            found.connect(candidates, by: &matching)
        }
        cost.comparisons += found.comparisons
        cost.pairs += found.examined
        return (found, loaded.saidKeys)
    }

    /// The other observations of listens in crowded hours, which releases without these bounds joined. Each such listen
    /// is read only once, since its observations are separate listens afterwards.
    private func joinedInCrowds(
        _ plays: [Play], _ crowded: Set<ListenHour>, history: Int64
    ) throws -> PlayWindow {
        let inCrowds = plays.filter { crowded.contains(ListenHour(of: $0)) }
        return try self.plays(ofListens: Set(inCrowds.map(\.listenID)), history: history)
    }

    private func write(
        _ groups: [[Int]], of derivation: ListenDerivation, former: Set<Int64>, _ work: Rederivation, now: Timestamp
    ) throws -> RederivationResult {
        var result = RederivationResult()
        let rows = try listenRows(former, history: work.history)
        let added = Set(work.added.map(\.id))
        var unused = former
        let first = try nextKeys(groups.count, now: now)
        var months: Set<Int> = []
        // By how much each song's number of listens changes.
        var differences: [Int64: Int] = [:]
        func remove(_ row: ListenRow) throws {
            months.insert(ListenMonth(containing: row.startedAt).number)
            differences[row.songID, default: 0] -= try delete(row, history: work.history)
            result.work.writes += 1
        }
        func add(_ row: ListenRow) throws {
            months.insert(ListenMonth(containing: row.startedAt).number)
            differences[row.songID, default: 0] += try insert(row, history: work.history)
            result.work.writes += 1
        }
        for (offset, group) in groups.enumerated() {
            let members = group.map { derivation.plays[$0] }
            // A listen keeps its id when others join it.
            let kept = members.map(\.listenID).filter { unused.contains($0) }.min()
            if let kept { unused.remove(kept) }
            let id = kept ?? first + Int64(offset)
            if kept == nil, members.allSatisfy({ added.contains($0.id) }) { result.newListens += 1 }
            for member in members where member.listenID != id {
                if added.contains(member.id) {
                    result.listenIDs[member.id] = id
                } else {
                    try transaction.run(
                        moveObservation,
                        [id.sqlValue, work.history.sqlValue, member.start.sqlValue, member.id.sqlValue])
                    result.work.writes += 1
                }
            }
            let shown = derivation.plays[derivation.shown(of: group)]
            let row: ListenRow? =
                members.contains(where: \.isDeleted)
                ? nil
                : ListenRow(
                    id: id, startedAt: shown.start, songID: shown.songID,
                    playedMilliseconds: shown.playedMilliseconds ?? members.compactMap(\.playedMilliseconds).max(),
                    sources: members.reduce(0) { $0 | $1.source.bit })
            guard row != rows[id] else { continue }
            if let before = rows[id] { try remove(before) }
            if let row { try add(row) }
        }
        for row in unused.compactMap({ rows[$0] }) { try remove(row) }
        try monthsChanged(months, history: work.history)
        if !months.isEmpty {
            try count(differences, history: work.history)
            try recordChange(
                ofHistory: work.history, userID: work.userID, difference: differences.values.reduce(0, +))
        }
        return result
    }

    /// The `ORDER BY` makes SQLite look up the ids; otherwise it would read the whole history.
    private func listenRows(_ ids: Set<Int64>, history: Int64) throws -> [Int64: ListenRow] {
        var found: [Int64: ListenRow] = [:]
        for part in ids.inParts {
            try transaction.forEachRow(
                """
                SELECT id, started_at, song_id, played_ms, sources FROM listens
                WHERE history_id = \(history) AND id IN (\(list: part)) ORDER BY id
                """
            ) {
                let row = ListenRow(
                    id: try $0["id"], startedAt: try $0["started_at"], songID: try $0["song_id"],
                    playedMilliseconds: try $0["played_ms"], sources: try $0["sources"])
                found[row.id] = row
                return .continue
            }
        }
        return found
    }

    private func insert(_ row: ListenRow, history: Int64) throws -> Int {
        try transaction.execute(
            insertListen,
            [
                history.sqlValue, row.startedAt.sqlValue, row.id.sqlValue, row.songID.sqlValue,
                SQLValue(row.playedMilliseconds), row.sources.sqlValue,
            ])
    }

    private func delete(_ row: ListenRow, history: Int64) throws -> Int {
        try transaction.execute(
            "DELETE FROM listens WHERE history_id = \(history) AND started_at = \(row.startedAt) AND id = \(row.id)")
    }
}

/// The hours that are crowded once observations are added and removed.
private struct CrowdingChange {
    var crowded: Set<ListenHour>
    /// Hours that have become crowded, or are no longer: all of their observations are derived again.
    var changed: Set<ListenHour> = []

    /// - Parameter loaded: the content of the database, from which the removed observations are already gone, and to
    ///   which the added ones are not yet written.
    init(_ loaded: PlayWindow, _ work: Rederivation) {
        crowded = loaded.crowded
        let counts = loaded.plays.reduce(into: [:]) { $0[ListenHour(of: $1), default: 0] += 1 }
        let added = work.added.reduce(into: [:]) { $0[ListenHour(of: $1), default: 0] += 1 }
        let removed = work.removed.reduce(into: [:]) { $0[ListenHour(of: $1), default: 0] += 1 }
        for hour in Set(added.keys).union(removed.keys) where !loaded.crowded.contains(hour) {
            let present = counts[hour] ?? 0
            let isCrowded = present + (added[hour] ?? 0) > ListenHour.most
            if isCrowded { crowded.insert(hour) }
            if isCrowded != (present + (removed[hour] ?? 0) > ListenHour.most) { changed.insert(hour) }
        }
    }
}
