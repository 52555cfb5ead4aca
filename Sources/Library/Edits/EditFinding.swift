import Model

/// What reading a service has shown about a write whose answer was lost.
package enum EditFinding: Sendable, Hashable {
    /// Why it cannot be told.
    package enum Doubt: Sendable, Hashable {
        /// The list has changed in another way than by the write alone.
        case listChanged
        /// New playlists of the name, of which one may be the one that the write has made: their ids at the service.
        case playlists([String])
        /// Nothing of it is shown, by a service that shows new content late.
        case notShown
        /// The list has fewer entries of the songs that were to be removed, and has some.
        case partlyRemoved
    }

    /// It was made.
    ///
    /// - Parameter mark: the list as it is now.
    case done(PlaylistMark?)
    case notDone(PlaylistMark?)
    /// It cannot be told yet, at a service that shows new content late: another look may tell more.
    ///
    /// - Parameter doubt: what is open if it does not.
    case notYet(Doubt)
    /// The first songs of it were placed.
    case partly(Int, PlaylistMark)
    case unclear(Doubt)

    /// Nothing of it is shown, by a service that shows new content late.
    package static let notShown = Self.notYet(.notShown)
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

    /// The list from its beginning, with the number of entries of each of some songs.
    func counted(_ ids: Set<String>) -> PlaylistMark {
        var mark = mark
        mark.songs = entries.reduce(into: [:]) { songs, entry in
            if let id = entry.trackID, ids.contains(id) { songs[id, default: 0] += 1 }
        }
        return mark
    }
}

extension SourcePlaylistEntry {
    /// The id of its song at the service; `nil` for what is not a song.
    var trackID: String? { if case .track(let track) = content { track.sourceID } else { nil } }
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
    ///   - shown: the list as it is: the whole list where `before` has counted the songs; otherwise it is read from
    ///     `tracks.count` entries before the end that it had.
    package static func appending(
        _ tracks: [EditTrack], to before: PlaylistMark, shown: ShownEntries, of source: MusicSource
    ) -> EditFinding {
        let now = shown.mark
        // The same list, of which `before` may have counted the songs.
        if let version = before.version, version == now.version { return .notDone(before) }
        if let songs = before.songs, !source.showsLate {
            return counting(tracks, at: before.count, formerly: songs, before: before, shown: shown, of: source)
        }
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
            if added.count > tracks.count { return .done(now) }
            // A service that writes all songs of a request or none has not written the first of them.
            guard source.writesInParts else { return .unclear(.listChanged) }
            // With the same song several times, more of them may be there: others have removed entries before them.
            let mayBeMore = (added.count + 1...tracks.count).contains { count in
                let tail = Array(shown.entries.suffix(count))
                return tail.count == count && !compare(tail, tracks, of: source).contains(.other)
            }
            return mayBeMore ? .unclear(.listChanged) : .partly(added.count, now)
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
    /// - Parameter shown: the whole list as it is.
    package static func inserting(
        _ tracks: [EditTrack], at position: Int, in before: PlaylistMark, shown: ShownEntries, of source: MusicSource
    ) -> EditFinding {
        if let version = before.version, version == shown.mark.version { return .notDone(before) }
        guard let songs = before.songs else { return .unclear(.listChanged) }
        return counting(tracks, at: position, formerly: songs, before: before, shown: shown, of: source)
    }

    /// Whether songs are in a list that others may have changed as well: their own entries are counted. The length of
    /// the list proves nothing, since others add songs and remove some.
    ///
    /// - Parameter formerly: how many entries each song had before.
    private static func counting(
        _ tracks: [EditTrack], at position: Int, formerly: [String: Int], before: PlaylistMark, shown: ShownEntries,
        of source: MusicSource
    ) -> EditFinding {
        let wanted = tracks.reduce(into: [:]) { $0[$1.id, default: 0] += 1 }
        let mark = shown.counted(Set(wanted.keys))
        let more = wanted.map { id, count in (mark.songs?[id] ?? 0) - (formerly[id] ?? 0) - count }
        let isThere = isThere(tracks, near: position, before: before, shown: shown, of: source)
        // Others may have added one of the songs, elsewhere.
        if more.allSatisfy({ $0 >= 0 }) { return isThere ? .done(mark) : .unclear(.listChanged) }
        // Others may have removed one of the songs after it was added.
        let isAbsent = wanted.keys.allSatisfy { mark.songs?[$0] ?? 0 <= formerly[$0] ?? 0 }
        return isAbsent && !isThere ? .notDone(mark) : .unclear(.listChanged)
    }

    /// Whether songs stand one after the other where they were put, or where that place may be now.
    private static func isThere(
        _ tracks: [EditTrack], near position: Int, before: PlaylistMark, shown: ShownEntries, of source: MusicSource
    ) -> Bool {
        let reach = abs(shown.mark.count - before.count) + tracks.count
        let last = shown.entries.count - tracks.count
        let (first, end) = (max(0, position - reach), min(last, position + reach))
        guard first <= end else { return false }
        return (first...end).contains { start in
            compare(Array(shown.entries[start..<start + tracks.count]), tracks, of: source).allSatisfy { $0 == .same }
        }
    }

    /// Whether every entry of some songs was removed.
    ///
    /// - Parameters:
    ///   - entries: how many they had.
    ///   - now: the list as it is, with the numbers of their entries.
    package static func removing(
        _ ids: [String], entries: Int, in before: PlaylistMark?, now: PlaylistMark
    ) -> EditFinding {
        if let version = before?.version, version == now.version { return .notDone(now) }
        let left = ids.reduce(0) { $0 + (now.songs?[$1] ?? 0) }
        if left == 0 { return .done(now) }
        // Either nothing was removed, and others have removed some; or all were, and others have added some.
        return left < entries ? .unclear(.partlyRemoved) : .notDone(now)
    }

    /// Which playlist a lost write has made: a new one is empty, and has the description that was sent.
    ///
    /// A service that shows new content late may not show the one that was made yet, and may show one of others before
    /// its songs. So it is looked at twice there.
    ///
    /// - Parameters:
    ///   - candidates: own playlists of that name that the library does not know. Services list the newest first.
    ///   - isFirstLook: whether no look came before this one, since the answer was lost or the person was asked.
    ///   - isMade: whether the person has said that it was made.
    /// - Returns: the id with ``done(_:)``.
    package static func creating(
        among candidates: [CreationCandidate], isFirstLook: Bool, isMade: Bool = false, of source: MusicSource
    ) -> (finding: EditFinding, id: String?) {
        let isEarly = isFirstLook && source.showsLate
        let fitting = candidates.filter(\.fits)
        var found = fitting.count == 1 ? fitting[0] : nil
        // The person, or a run that a restored backup does not know, may have put songs into it.
        if isMade { found = fitting.first ?? candidates.only { $0.beginsWithSongs } ?? candidates.only { _ in true } }
        if let found, !isEarly { return (.done(PlaylistMark(count: found.count ?? 0, version: nil)), found.id) }
        guard candidates.isEmpty else {
            let doubt = Doubt.playlists(candidates.map(\.id))
            return (isEarly ? .notYet(doubt) : .unclear(doubt), nil)
        }
        return (source.showsLate ? .notShown : .notDone(nil), nil)
    }

    /// Compares entries with songs, as far as there are both.
    private static func compare(
        _ entries: [SourcePlaylistEntry], _ tracks: [EditTrack], of source: MusicSource
    ) -> [EntryMatch] {
        zip(entries, tracks).map { EntryMatch($0, $1, of: source) }
    }
}

/// A playlist that a write whose answer was lost may have made.
package struct CreationCandidate: Sendable, Hashable {
    package var id: String
    /// The number of its entries; `nil` where the service does not tell.
    package var count: Int?
    package var hasDescription: Bool
    /// Whether it has entries, which are the first songs that the edit was to add.
    package var beginsWithSongs: Bool

    /// - Parameter hasDescription: whether its description is the one that was sent.
    package init(id: String, count: Int?, hasDescription: Bool, beginsWithSongs: Bool = false) {
        (self.id, self.count, self.hasDescription) = (id, count, hasDescription)
        self.beginsWithSongs = beginsWithSongs
    }

    fileprivate var fits: Bool { count ?? 0 == 0 && hasDescription }
}

extension [CreationCandidate] {
    /// The element that fulfils a condition, if it is one alone.
    fileprivate func only(_ isWanted: (CreationCandidate) -> Bool) -> CreationCandidate? {
        let wanted = filter(isWanted)
        return wanted.count == 1 ? wanted[0] : nil
    }
}
