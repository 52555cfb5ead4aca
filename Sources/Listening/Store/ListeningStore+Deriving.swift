import Model
import Storage

/// A part of a history whose listens are derived anew.
struct Rederivation {
    let history: Int64
    let userID: String
    let clients: [Int64: String]
    /// Observations that are written afterwards.
    var added: [Play] = []
    /// Observations that have been removed, as they were.
    var removed: [Play] = []
    /// Observations that have changed, by their keys; they are in the database.
    var changed: Set<Int64> = []
    /// The moments at which the changed ones begin.
    var changedStarts: [Int64] = []
    /// The hashes of the added observations' songs.
    var saidKeys: [Int64: Int64] = [:]

    /// What has to be looked at around some starts: what may be near them, and a little more, since a second look would
    /// be needed where something near them begins earlier.
    func range(around starts: [Int64]) -> ClosedRange<Int64> {
        let margin = Play.reach + 600_000_000
        return ((starts.min() ?? 0) - margin)...((starts.max() ?? 0) + margin)
    }
}

/// What a derivation led to.
struct RederivationResult {
    var newListens = 0
    /// The listens of the added observations, by their keys.
    var listenIDs: [Int64: Int64] = [:]
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
    /// Derives the listens anew that have added, removed or changed observations, or are connected with them.
    func derive(_ work: Rederivation, now: Timestamp) throws -> RederivationResult {
        let (derivation, connections) = try surroundings(of: work)
        let gone = Set(work.removed.map(\.id))
        var groups: [[Int]] = []
        var former: Set<Int64> = []
        for connection in connections {
            for member in connection.members where derivation.plays[member].listenID != 0 {
                former.insert(derivation.plays[member].listenID)
            }
            groups += derivation.listens(of: connection, without: gone)
        }
        return try write(groups, of: derivation, former: former, work, now: now)
    }

    /// All observations that are connected with the touched ones, among others.
    private func surroundings(
        of work: Rederivation
    ) throws -> (derivation: ListenDerivation, connections: [ListenDerivation.Connection]) {
        let touched = Set(work.added.map(\.id) + work.removed.map(\.id)).union(work.changed)
        var range = work.range(around: (work.added + work.removed).map(\.start) + work.changedStarts)
        while true {
            var loaded = try plays(in: range, history: work.history, clients: work.clients)
            loaded.plays += work.added + work.removed
            loaded.plays.sort { $0.start < $1.start }
            loaded.saidKeys.merge(work.saidKeys) { known, _ in known }
            let songs = try songs(ListenDerivation.songsToCompare(loaded.plays), history: work.history)
            var matching = SongMatching(songs)
            let derivation = ListenDerivation(loaded.plays, &matching, saidKeys: loaded.saidKeys)
            let connections = derivation.connections().filter {
                $0.members.contains { touched.contains(derivation.plays[$0].id) }
            }
            let starts = connections.flatMap { $0.members.map { derivation.plays[$0].start } }
            let wanted = ((starts.min() ?? 0) - Play.reach)...((starts.max() ?? 0) + Play.reach)
            if range.contains(wanted.lowerBound), range.contains(wanted.upperBound) {
                return (derivation, connections)
            }
            range = work.range(around: starts)
        }
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
        // By how much the numbers of the songs' listens change.
        var differences: [Int64: Int] = [:]
        func remove(_ row: ListenRow) throws {
            months.insert(ListenMonth(containing: row.startedAt).number)
            differences[row.songID, default: 0] -= try delete(row, history: work.history)
        }
        func add(_ row: ListenRow) throws {
            months.insert(ListenMonth(containing: row.startedAt).number)
            differences[row.songID, default: 0] += try insert(row, history: work.history)
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
                    try transaction.execute(
                        moveObservation,
                        [id.sqlValue, work.history.sqlValue, member.start.sqlValue, member.id.sqlValue])
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
            try noteChange(
                ofHistory: work.history, userID: work.userID, difference: differences.values.reduce(0, +))
        }
        return result
    }

    /// The order makes SQLite look the ids up; it would read the whole history otherwise.
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
                return .goOn
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
