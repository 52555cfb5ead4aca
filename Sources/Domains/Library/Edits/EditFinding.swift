import LibraryWriting
import Model

/// What a later read of the service showed about a write whose answer was lost.
package enum EditFinding: Sendable, Hashable {
    /// Why the outcome cannot be determined.
    package enum Uncertainty: Sendable, Hashable {
        /// The list has changed in a way that the write alone does not explain.
        case listChanged
        /// The service ids of new playlists of that name, any of which may be the one that the write created.
        case playlists([String])
        /// The service shows new content late, and shows nothing of the write.
        case notShown
        /// The list has fewer entries of the songs to be removed than before, but still has some.
        case partlyRemoved
    }

    /// The write was made.
    ///
    /// - Parameter mark: the list as it is now.
    case done(PlaylistMark?)
    case notDone(PlaylistMark?)
    /// The outcome cannot be determined yet, at a service that shows new content late: another read may show more.
    ///
    /// - Parameter doubt: the open question if it does not.
    case notYet(Uncertainty)
    /// Only the first songs of the write were added.
    case partly(Int, PlaylistMark)
    case unclear(Uncertainty)

    /// The service shows new content late, and shows nothing of the write.
    package static let notShown = Self.notYet(.notShown)
}

/// The part of a service's playlist that shows whether songs were added.
package struct PlaylistExcerpt: Sendable {
    /// The list as it is now.
    package var mark: PlaylistMark
    /// The position of the first of ``entries``.
    package var start: Int
    /// The entries from ``start`` to the end of what was read.
    package var entries: [SourcePlaylistEntry]

    package init(mark: PlaylistMark, start: Int, entries: [SourcePlaylistEntry]) {
        (self.mark, self.start, self.entries) = (mark, start, entries)
    }

    fileprivate func entries(from position: Int) -> ArraySlice<SourcePlaylistEntry> {
        entries.dropFirst(max(0, position - start))
    }

    /// The list's mark, with the number of entries that each of the given songs has. ``entries`` must start at the
    /// beginning.
    func counted(_ ids: Set<String>) -> PlaylistMark {
        var mark = mark
        mark.songs = entries.reduce(into: [:]) { songs, entry in
            if let id = entry.trackID, ids.contains(id) { songs[id, default: 0] += 1 }
        }
        return mark
    }
}

extension SourcePlaylistEntry {
    /// The id of the entry's song at the service; `nil` if the entry is not a song.
    var trackID: String? { if case .track(let track) = content { track.sourceID } else { nil } }
}

extension EditFinding {
    /// Determines whether songs were added at the end of a list.
    ///
    /// Entries are compared by position and number, since a list may contain a song twice: what follows the entries
    /// that the list had before is what was added.
    ///
    /// - Parameters:
    ///   - tracks: the songs that were sent.
    ///   - before: the list when they were sent.
    ///   - shown: the list as it is now: the whole list if `before` has counted the songs; otherwise the part that
    ///     begins `tracks.count` entries before the former end.
    package static func appending(
        _ tracks: [EditTrack], to before: PlaylistMark, shown: PlaylistExcerpt, of source: MusicSource
    ) -> EditFinding {
        let now = shown.mark
        // The list is unchanged. `before` is returned because it may include counts of the songs.
        if let version = before.version, version == now.version { return .notDone(before) }
        if let songs = before.songs, !source.showsLate {
            return counting(tracks, at: before.count, formerly: songs, before: before, shown: shown, of: source)
        }
        guard now.count >= before.count else { return source.showsLate ? .notShown : .unclear(.listChanged) }
        let added = Array(shown.entries(from: before.count))
        if added.isEmpty, source.showsLate { return .notShown }
        if added.isEmpty {
            // There are as many entries as before. If they end as they would with the songs, other entries may have
            // been removed.
            let tail = Array(shown.entries.suffix(tracks.count))
            let mayBeThere =
                before.version != nil && tail.count == tracks.count
                && !compare(tail, tracks, of: source).contains(.other)
            return mayBeThere ? .unclear(.listChanged) : .notDone(now)
        }
        let matches = compare(added, tracks, of: source)
        if !matches.contains(.other) {
            if added.count == tracks.count { return .done(now) }
            // Without comparable ids, only a matching number of entries proves anything.
            guard !matches.contains(.unknown) else { return .unclear(.listChanged) }
            if added.count > tracks.count { return .done(now) }
            // A service that writes either all songs of a request or none did not write only the first of them.
            guard source.writesInParts else { return .unclear(.listChanged) }
            // If the same song occurs several times, more of them may be there and others may have removed earlier
            // entries.
            let mayBeMore = (added.count + 1...tracks.count).contains { count in
                let tail = Array(shown.entries.suffix(count))
                return tail.count == count && !compare(tail, tracks, of: source).contains(.other)
            }
            return mayBeMore ? .unclear(.listChanged) : .partly(added.count, now)
        }
        return found(tracks, among: added, of: source, mark: now)
    }

    /// Looks for the songs after entries that others added first.
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
        // Entries that others added may be shown earlier than those of the write.
        return source.showsLate ? .notShown : .notDone(mark)
    }

    /// Determines whether songs were inserted at a position.
    ///
    /// - Parameter shown: the whole list as it is now.
    package static func inserting(
        _ tracks: [EditTrack], at position: Int, in before: PlaylistMark, shown: PlaylistExcerpt, of source: MusicSource
    ) -> EditFinding {
        if let version = before.version, version == shown.mark.version { return .notDone(before) }
        guard let songs = before.songs else { return .unclear(.listChanged) }
        return counting(tracks, at: position, formerly: songs, before: before, shown: shown, of: source)
    }

    /// Determines whether songs are in a list that others may have changed as well, by counting the songs' own entries.
    /// The length of the list proves nothing, since others may add and remove songs.
    ///
    /// - Parameter formerly: the number of entries that each song had before.
    private static func counting(
        _ tracks: [EditTrack], at position: Int, formerly: [String: Int], before: PlaylistMark, shown: PlaylistExcerpt,
        of source: MusicSource
    ) -> EditFinding {
        let wanted = tracks.reduce(into: [:]) { $0[$1.id, default: 0] += 1 }
        let mark = shown.counted(Set(wanted.keys))
        let more = wanted.map { id, count in (mark.songs?[id] ?? 0) - (formerly[id] ?? 0) - count }
        let isThere = isThere(tracks, near: position, before: before, shown: shown, of: source)
        // Others may have added one of the songs elsewhere in the list.
        if more.allSatisfy({ $0 >= 0 }) { return isThere ? .done(mark) : .unclear(.listChanged) }
        // Others may have removed one of the songs after it was added.
        let isAbsent = wanted.keys.allSatisfy { mark.songs?[$0] ?? 0 <= formerly[$0] ?? 0 }
        return isAbsent && !isThere ? .notDone(mark) : .unclear(.listChanged)
    }

    /// Whether the songs follow each other at the position where they were inserted, or at one to which it may have
    /// shifted.
    private static func isThere(
        _ tracks: [EditTrack], near position: Int, before: PlaylistMark, shown: PlaylistExcerpt, of source: MusicSource
    ) -> Bool {
        let reach = Int(clamping: (shown.mark.count - before.count).magnitude) + tracks.count
        let last = shown.entries.count - tracks.count
        let (first, end) = (max(0, position - reach), min(last, position + reach))
        guard first <= end else { return false }
        return (first...end).contains { start in
            compare(Array(shown.entries[start..<start + tracks.count]), tracks, of: source).allSatisfy { $0 == .same }
        }
    }

    /// Determines whether every entry of some songs was removed.
    ///
    /// - Parameters:
    ///   - entries: the number of entries that they had.
    ///   - now: the list as it is now, with the number of their entries.
    package static func removing(
        _ ids: [String], entries: Int, in before: PlaylistMark?, now: PlaylistMark
    ) -> EditFinding {
        if let version = before?.version, version == now.version { return .notDone(now) }
        let left = ids.reduce(0) { $0 + (now.songs?[$1] ?? 0) }
        if left == 0 { return .done(now) }
        // Either nothing was removed by the edit and others removed some entries, or all were removed and others added
        // some.
        return left < entries ? .unclear(.partlyRemoved) : .notDone(now)
    }

    /// Determines which playlist a lost write created: a new one is empty, and has the description that was sent.
    ///
    /// A service that shows new content late may not show the created playlist yet, or may show a playlist of others
    /// before its songs. So it is read twice there.
    ///
    /// - Parameters:
    ///   - candidates: the user's playlists of that name that are not in the library. Services list the newest first.
    ///   - isFirstLook: whether this is the first read since the answer was lost, or since the user was asked.
    ///   - isMade: whether the user has said that the playlist was created.
    /// - Returns: the finding, and the id of the playlist if it is ``done(_:)``.
    package static func creating(
        among candidates: [CreationCandidate], isFirstLook: Bool, isMade: Bool = false, of source: MusicSource
    ) -> (finding: EditFinding, id: String?) {
        let isEarly = isFirstLook && source.showsLate
        let fitting = candidates.filter(\.fits)
        var found = fitting.count == 1 ? fitting[0] : nil
        // The user may have put songs into it, or a run that a restored backup does not know about.
        if isMade { found = fitting.first ?? candidates.only { $0.beginsWithSongs } ?? candidates.only { _ in true } }
        if let found, !isEarly { return (.done(PlaylistMark(count: found.count ?? 0, version: nil)), found.id) }
        guard candidates.isEmpty else {
            let doubt = Uncertainty.playlists(candidates.map(\.id))
            return (isEarly ? .notYet(doubt) : .unclear(doubt), nil)
        }
        return (source.showsLate ? .notShown : .notDone(nil), nil)
    }

    /// Compares entries with songs pairwise, up to the length of the shorter list.
    private static func compare(
        _ entries: [SourcePlaylistEntry], _ tracks: [EditTrack], of source: MusicSource
    ) -> [EntryMatch] {
        zip(entries, tracks).map { EntryMatch($0, $1, of: source) }
    }
}

/// A playlist that a write whose answer was lost may have created.
package struct CreationCandidate: Sendable, Hashable {
    package var id: String
    /// The number of its entries; `nil` if the service does not report one.
    package var count: Int?
    package var hasDescription: Bool
    /// Whether it has entries, and they are the first songs that the edit was to add.
    package var beginsWithSongs: Bool

    /// - Parameter hasDescription: whether its description is the one that was sent.
    package init(id: String, count: Int?, hasDescription: Bool, beginsWithSongs: Bool = false) {
        (self.id, self.count, self.hasDescription) = (id, count, hasDescription)
        self.beginsWithSongs = beginsWithSongs
    }

    fileprivate var fits: Bool { count ?? 0 == 0 && hasDescription }
}

extension [CreationCandidate] {
    /// The element that satisfies a condition, if exactly one does.
    fileprivate func only(_ isWanted: (CreationCandidate) -> Bool) -> CreationCandidate? {
        let wanted = filter(isWanted)
        return wanted.count == 1 ? wanted[0] : nil
    }
}
