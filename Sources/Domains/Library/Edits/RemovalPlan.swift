import Model

/// The steps that remove entries from a Spotify playlist. Spotify removes every entry of a song, so entries of the same
/// songs that are to stay are put back in their places.
struct RemovalPlan {
    /// An entry of one of the songs that are removed.
    struct Entry: Hashable {
        var position: Int
        var track: EditTrack
    }

    let actions: [EditAction]

    /// - Parameters:
    ///   - positions: the positions of the entries to remove.
    ///   - entries: all entries of their songs.
    init(removing positions: Set<Int>, of entries: [Entry], chunk: Int) {
        var actions: [EditAction] = [.verify]
        let counts = entries.reduce(into: [:]) { $0[$1.track.id, default: 0] += 1 }
        let ids = counts.keys.sorted()
        for start in stride(from: 0, to: ids.count, by: chunk) {
            let part = Array(ids[start..<min(start + chunk, ids.count)])
            actions.append(.remove(part, entries: part.reduce(0) { $0 + (counts[$1] ?? 0) }))
        }
        let removed = positions.sorted()
        let kept = entries.filter { !positions.contains($0.position) }.sorted { $0.position < $1.position }
        // In ascending order, each entry ends up at its final position, since all entries before it are already there.
        var run: (position: Int, tracks: [EditTrack]) = (0, [])
        var before = 0
        func flush() {
            if !run.tracks.isEmpty { actions.append(.insert(run.tracks, position: run.position)) }
        }
        for entry in kept {
            while before < removed.count, removed[before] < entry.position { before += 1 }
            let position = entry.position - before
            if position == run.position + run.tracks.count, !run.tracks.isEmpty, run.tracks.count < chunk {
                run.tracks.append(entry.track)
            } else {
                flush()
                run = (position, [entry.track])
            }
        }
        flush()
        self.actions = actions
    }
}
