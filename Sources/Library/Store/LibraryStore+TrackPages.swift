import Model
import Storage

extension LibraryStore where Access == WriteTransaction {
    /// Writes a page of saved tracks. Applied again, it changes nothing.
    ///
    /// - Parameter isWhole: the reading will see the whole list, so that what it has not seen at its end is missing
    ///   (``markMissing(_:by:limit:now:)``).
    /// - Throws: ``LibraryError/readingEnded``, or ``StorageError``.
    package func apply(
        _ tracks: [SourceTrack], by reading: SourceReading, isWhole: Bool, now: Timestamp
    ) throws -> PageEffect {
        try apply(tracks.map { IncomingTrack($0) }, by: reading, isWhole: isWhole, now: now)
    }

    func apply(
        _ tracks: [IncomingTrack], by reading: SourceReading, isWhole: Bool, now: Timestamp
    ) throws -> PageEffect {
        var writes = try begin(reading, now: now)
        let (effect, ids) = try write(tracks, areSaved: true, by: reading, in: &writes)
        if isWhole { try sight(.tracks, Array(ids.values), by: reading) }
        try finish(writes)
        return effect
    }

    /// Writes tracks of a page, of the library or of a playlist's entries.
    ///
    /// - Parameter areSaved: whether the library has them.
    /// - Returns: the keys of the source tracks by the source's ids.
    func write(
        _ items: [IncomingTrack], areSaved: Bool, by reading: SourceReading, in writes: inout LibraryWrites
    ) throws -> (effect: PageEffect, ids: [String: Int64]) {
        let (source, library) = (reading.source, reading.libraryID)
        let accounts = try accounts(of: reading)
        var effect = PageEffect(found: items.count)
        var seen: Set<String> = []
        let tracks = items.filter { seen.insert($0.track.sourceID).inserted }
        let known = try sourceTracks(tracks.map(\.track.sourceID), of: source, library: library)
        var ids = known.mapValues(\.id)

        var updates: [(before: SourceTrackRow, after: SourceTrackRow)] = []
        var new: [IncomingTrack] = []
        for incoming in tracks {
            let track = incoming.track
            guard let before = known[track.sourceID] else {
                new.append(incoming)
                continue
            }
            let after =
                areSaved
                ? before.saved(as: track, account: reading.accountID)
                : before.listed(as: track, account: reading.accountID, accounts: accounts)
            if after != before { updates.append((before, after)) }
        }
        guard !updates.isEmpty || !new.isEmpty else { return (effect, ids) }

        let matching = TrackMatching.current
        var (group, tracksFound) = try self.tracks(
            updates.map(\.before.trackID), named: new.map(\.names), isrcs: new.compactMap(\.track.isrc),
            library: library)
        var changed: Set<Int64> = []
        for (before, after) in updates {
            try update(before, to: after, library: library, now: writes.now)
            group.replace(after)
            changed.insert(after.trackID)
            writes.isChanged = true
            note(before, after, in: &writes, effect: &effect)
        }
        for (before, after) in updates where after.track.isrc != before.track.isrc {
            try splitIfNeeded(after, in: &group, changed: &changed, library: library, writes: &writes)
        }
        for incoming in new {
            let (track, names) = (incoming.track, incoming.names)
            let named = (tracksFound.byNames[names] ?? []).map { group.candidate($0) }
            let ofName = matching.track(for: track, of: source, among: named)
            let equal = track.isrc.flatMap { tracksFound.byISRC[$0] } ?? []
            let ofISRC =
                ofName == nil
                ? matching.survivor(for: track, of: source, amongEqual: equal.map { group.candidate($0) }) : nil
            if let ofISRC {
                effect.joined += 1
                // It has source tracks of several names now.
                group.newNames[ofISRC] = nil
            }
            let trackID = ofName ?? ofISRC ?? writes.nextKey()
            if ofName == nil, ofISRC == nil {
                tracksFound.add(trackID, names, isrc: track.isrc)
                group.newNames[trackID] = names
            }
            let row = SourceTrackRow(
                id: writes.nextKey(), trackID: trackID, source: source, accountID: reading.accountID,
                isSaved: areSaved, missingSince: nil, track: track, createdAt: writes.now)
            try insert(row, library: library, now: writes.now)
            group.parts[trackID, default: []].append(row)
            changed.insert(trackID)
            ids[track.sourceID] = row.id
            effect.added += 1
            if areSaved { writes.note(.added, .tracks, row.id, of: source, title: track.title) }
        }
        try write(changed, of: group, in: &writes)
        return (effect, ids)
    }

    /// Moves a source track whose ISRC came or changed to a track of its own, if its track has one of the same source
    /// with another ISRC. Those of the other source with its ISRC go with it.
    private func splitIfNeeded(
        _ row: SourceTrackRow, in group: inout TrackGroup, changed: inout Set<Int64>, library: Int64,
        writes: inout LibraryWrites
    ) throws {
        let parts = group.parts[row.trackID] ?? []
        let leaving = TrackMatching.current.leaving(with: row, among: parts)
        guard !leaving.isEmpty else { return }
        let trackID = writes.nextKey()
        try move(leaving, to: trackID, library: library)
        let ids = Set(leaving.map(\.id))
        group.parts[row.trackID] = parts.filter { !ids.contains($0.id) }
        group.parts[trackID] = leaving.map { part in
            var part = part
            part.trackID = trackID
            return part
        }
        changed.formUnion([row.trackID, trackID])
    }

    /// Notes what happened to a source track: it was saved, has returned, or has changed.
    private func note(
        _ before: SourceTrackRow, _ after: SourceTrackRow, in writes: inout LibraryWrites, effect: inout PageEffect
    ) {
        let kind: LibraryChange.Kind?
        if after.isSaved && !before.isSaved {
            effect.added += 1
            kind = .added
        } else if before.missingSince != nil && after.missingSince == nil {
            effect.changed += 1
            kind = after.isSaved ? .returned : nil
        } else if after.differsInTrack(from: before) {
            effect.changed += 1
            kind = after.isSaved && after.track.differsNoticeably(from: before.track) ? .changed : nil
        } else {
            kind = nil
        }
        if let kind { writes.note(kind, .tracks, after.id, of: after.source, title: after.track.title) }
    }
}
