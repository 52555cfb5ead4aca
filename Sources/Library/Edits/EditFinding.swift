import Model

/// What reading a service has shown about a write whose answer was lost.
package enum EditFinding: Sendable, Hashable {
    /// Why it cannot be told.
    package enum Doubt: Sendable, Hashable {
        /// The list has changed in another way than by the write alone.
        case listChanged
        /// Playlists that the write may have made: their ids at the service.
        case playlists([String])
        /// Nothing of it is shown, by a service that shows new content late.
        case notShown
    }

    /// It was made.
    ///
    /// - Parameter mark: the list as it is now.
    case done(PlaylistMark?)
    case notDone(PlaylistMark?)
    /// Nothing of it is shown, by a service that shows new content late: another look may tell more.
    case notShown
    /// The first songs of it were placed.
    case partly(Int, PlaylistMark)
    case unclear(Doubt)
}

/// The part of a playlist at its service that tells whether songs were added.
package struct ShownEntries: Sendable {
    /// The list as it is now.
    package var mark: PlaylistMark
    /// The position of the first of ``entries``.
    package var start: Int
    /// From there to the end of what was read.
    package var entries: [SourcePlaylistEntry]

    package init(mark: PlaylistMark, start: Int, entries: [SourcePlaylistEntry]) {
        (self.mark, self.start, self.entries) = (mark, start, entries)
    }

    fileprivate func entries(from position: Int) -> ArraySlice<SourcePlaylistEntry> {
        entries.dropFirst(max(0, position - start))
    }
}

extension EditFinding {
    /// Whether songs were added at the end of a list.
    ///
    /// The comparison is by position and number, since a list may have a song twice: what stands behind the entries
    /// that the list had before is what was added.
    ///
    /// - Parameters:
    ///   - tracks: the songs that were sent.
    ///   - before: the list when they were sent.
    ///   - shown: the list as it is, read from `tracks.count` entries before the end that it had.
    package static func appending(
        _ tracks: [EditTrack], to before: PlaylistMark, shown: ShownEntries, of source: MusicSource
    ) -> EditFinding {
        let now = shown.mark
        if let version = before.version, version == now.version { return .notDone(now) }
        guard now.count >= before.count else { return source.showsLate ? .notShown : .unclear(.listChanged) }
        let added = Array(shown.entries(from: before.count))
        if added.isEmpty, source.showsLate { return .notShown }
        if added.isEmpty {
            // As many entries as before. If these end as they would with the songs, some others may have left.
            let tail = Array(shown.entries.suffix(tracks.count))
            let mayBeThere =
                before.version != nil && tail.count == tracks.count
                && !compare(tail, tracks, of: source).contains(.other)
            return mayBeThere ? .unclear(.listChanged) : .notDone(now)
        }
        let matches = compare(added, tracks, of: source)
        if !matches.contains(.other) {
            if added.count == tracks.count { return .done(now) }
            // Entries without comparable ids prove something by their number alone.
            guard !matches.contains(.unknown) else { return .unclear(.listChanged) }
            return added.count > tracks.count ? .done(now) : .partly(added.count, now)
        }
        return found(tracks, among: added, of: source, mark: now)
    }

    /// The songs may stand behind others that came first.
    private static func found(
        _ tracks: [EditTrack], among added: [SourcePlaylistEntry], of source: MusicSource, mark: PlaylistMark
    ) -> EditFinding {
        if added.count >= tracks.count {
            for start in 0...(added.count - tracks.count) {
                let part = Array(added[start..<start + tracks.count])
                if compare(part, tracks, of: source).allSatisfy({ $0 == .same }) { return .done(mark) }
            }
        }
        let isForeign = added.allSatisfy { entry in
            tracks.allSatisfy { EntryMatch(entry, $0, of: source) == .other }
        }
        guard isForeign else { return .unclear(.listChanged) }
        // What others have added may be shown before it.
        return source.showsLate ? .notShown : .notDone(mark)
    }

    /// Whether songs were put at a position.
    ///
    /// - Parameter shown: the list as it is, read from the position.
    package static func inserting(
        _ tracks: [EditTrack], at position: Int, in before: PlaylistMark, shown: ShownEntries, of source: MusicSource
    ) -> EditFinding {
        let now = shown.mark
        if let version = before.version, version == now.version { return .notDone(now) }
        if now.count == before.count { return .notDone(now) }
        let there = Array(shown.entries(from: position).prefix(tracks.count))
        guard now.count == before.count + tracks.count, there.count == tracks.count,
            compare(there, tracks, of: source).allSatisfy({ $0 == .same })
        else { return .unclear(.listChanged) }
        return .done(now)
    }

    /// Which playlist a lost write has made.
    ///
    /// - Parameter candidates: the ids of own playlists of that name that the library did not know before.
    /// - Returns: the id with ``done(_:)``.
    package static func creating(
        among candidates: [String], of source: MusicSource
    ) -> (finding: EditFinding, id: String?) {
        switch candidates.count {
        case 0: (source.showsLate ? .notShown : .notDone(nil), nil)
        case 1: (.done(PlaylistMark(count: 0, version: nil)), candidates[0])
        default: (.unclear(.playlists(candidates)), nil)
        }
    }

    /// Compares entries with songs, as far as there are both.
    private static func compare(
        _ entries: [SourcePlaylistEntry], _ tracks: [EditTrack], of source: MusicSource
    ) -> [EntryMatch] {
        zip(entries, tracks).map { EntryMatch($0, $1, of: source) }
    }
}
