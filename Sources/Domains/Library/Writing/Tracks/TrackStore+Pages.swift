import Library
import Model
import Storage

extension TrackStore where Access == WriteTransaction {
    /// Writes a page of saved tracks. Writing the same page again changes nothing.
    ///
    /// - Parameter isWhole: whether the scan covers the whole list, so that what it has not seen by its end is
    ///   missing (``ScanStore/markMissing(_:by:limit:now:)``).
    /// - Throws: ``LibraryError/scanEnded``, or ``StorageError``.
    package func storeSavedTracks(
        _ tracks: [SourceTrack], by scan: SourceScan, isWhole: Bool, now: Timestamp
    ) throws -> PageEffect {
        try storeSavedTracks(
            tracks.map { IncomingTrack($0, of: scan.source) }, by: scan, isWhole: isWhole, now: now)
    }

    package func storeSavedTracks(
        _ tracks: [IncomingTrack], by scan: SourceScan, isWhole: Bool, now: Timestamp
    ) throws -> PageEffect {
        var writes = try transaction.library.beginWrites(by: scan, now: now)
        let (effect, ids) = try storeSourceTracks(tracks, areSaved: true, by: scan, in: &writes)
        if isWhole { try transaction.scans.markSeen(.tracks, Array(ids.values), by: scan) }
        try transaction.library.finishWrites(writes)
        return effect
    }

    /// Writes tracks from a page of the library or of a playlist's entries.
    ///
    /// - Parameter areSaved: whether the tracks are saved in the library.
    /// - Returns: the keys of the source tracks by the source's ids.
    package func storeSourceTracks(
        _ items: [IncomingTrack], areSaved: Bool, by scan: SourceScan, in writes: inout LibraryWrites
    ) throws -> (effect: PageEffect, ids: [String: Int64]) {
        let (source, library) = (scan.source, scan.libraryID)
        let accounts = try transaction.library.accounts(of: scan)
        var effect = PageEffect(found: items.count)
        var seen: Set<String> = []
        let tracks = items.filter { seen.insert($0.track.sourceID).inserted }
        let holds = try transaction.editLocks.locks(of: .tracks, library: library, at: writes.now)
        if areSaved, source == .appleMusic, !holds.isEmpty {
            try adoptLibraryIDs(tracks.map(\.track), held: holds.keys.sorted(), by: scan, in: &writes)
        }
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
            var after =
                areSaved
                ? before.saved(as: track, account: scan.accountID)
                : before.listed(as: track, account: scan.accountID, accounts: accounts)
            // The page may be older than the removal.
            if let since = before.missingSince, holds[before.id]?.contains(.unsave) == true,
                track.addedAt ?? since <= since
            {
                after.missingSince = since
            }
            if after != before { updates.append((before, after)) }
        }
        guard !updates.isEmpty || !new.isEmpty else { return (effect, ids) }

        var changes = SourceTrackChanges()
        for (before, after) in updates {
            try updateSourceTrack(before, to: after, library: library, now: writes.now)
            changes.tracks.insert(after.trackID)
            writes.isChanged = true
            recordTrackChange(before, after, in: &writes, effect: &effect)
            guard after.differsInIdentity(from: before) else { continue }
            let (former, present) = (SourceTrackChanges.Member(before), SourceTrackChanges.Member(after))
            try transaction.trackIdentity.replaceKeys(
                former.profile.keys, by: present.profile.keys, of: after.id, library: library)
            changes.former.append(former)
            changes.changed.append(present)
        }
        for incoming in new {
            let row = SourceTrackRow(
                id: writes.nextKey(), trackID: 0, source: source, accountID: scan.accountID, isSaved: areSaved,
                missingSince: nil, track: incoming.track, createdAt: writes.now)
            changes.new.append(SourceTrackChanges.Member(row, incoming.profile, incoming.names))
            ids[incoming.track.sourceID] = row.id
            effect.added += 1
            if areSaved { writes.logChange(.added, .tracks, row.id, of: source, title: incoming.track.title) }
        }
        let regrouped = try transaction.trackIdentity.regroupTracks(
            affectedBy: changes, by: try transaction.trackIdentity.identity(ofLibrary: library), in: &writes)
        effect.joined += regrouped.merged + regrouped.joined
        return (effect, ids)
    }

    /// Assigns the library's ids to songs that an edit has saved by their catalog ids, now that the library reports
    /// them.
    private func adoptLibraryIDs(
        _ tracks: [SourceTrack], held: [Int64], by scan: SourceScan, in writes: inout LibraryWrites
    ) throws {
        let library = scan.libraryID
        let rows = try sourceTracks(ids: held, library: library).filter {
            $0.source == scan.source && $0.isSaved && $0.track.sourceID.isCatalogID
        }
        guard !rows.isEmpty else { return }
        let known = try sourceTracks(tracks.map(\.sourceID), of: scan.source, library: library)
        for track in tracks {
            guard let row = rows.first(where: { $0.track.sourceID == track.catalogID }) else { continue }
            guard known[track.sourceID] == nil else {
                // The song was in the library before, and has its former id again.
                var listed = row
                listed.isSaved = false
                try rewriteSourceTracks([(row, listed)], in: &writes)
                continue
            }
            try transaction.run(
                """
                UPDATE library_source_tracks SET source_id = \(track.sourceID)
                WHERE library_id = \(library) AND id = \(row.id)
                """)
        }
    }

    /// Records what happened to a source track: it was saved, has returned, or has changed.
    private func recordTrackChange(
        _ before: SourceTrackRow, _ after: SourceTrackRow, in writes: inout LibraryWrites, effect: inout PageEffect
    ) {
        let kind: LibraryChangeKind?
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
        if let kind { writes.logChange(kind, .tracks, after.id, of: after.source, title: after.track.title) }
    }

    /// Writes new values of source tracks whose names do not change, and the tracks that they belong to.
    package func rewriteSourceTracks(
        _ changes: [(before: SourceTrackRow, after: SourceTrackRow)], in writes: inout LibraryWrites
    ) throws {
        let changed = changes.filter { $0.before != $0.after }
        guard !changed.isEmpty else { return }
        var group = try trackGroup(changed.map(\.after.trackID), library: writes.libraryID)
        for (before, after) in changed {
            try updateSourceTrack(before, to: after, library: writes.libraryID, now: writes.now)
            group.replace(after)
        }
        try storeTracks(Set(changed.map(\.after.trackID)), of: group, in: &writes)
        writes.isChanged = true
    }
}

extension String {
    /// Apple Music's catalog ids consist of digits; library ids begin with a letter and a period.
    package var isCatalogID: Bool { !isEmpty && utf8.allSatisfy { (0x30...0x39).contains($0) } }
}
