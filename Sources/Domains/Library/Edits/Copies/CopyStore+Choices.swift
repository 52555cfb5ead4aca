import Library
import Model
import Storage

extension CopyStore {
    /// What the user has chosen for a song. A `nil` reference leaves the song out, if `isChosen`.
    func choice(
        for song: SourceTrackRow, in target: MusicSource, userID: String
    ) throws -> (reference: String?, isChosen: Bool) {
        let row = try transaction.row(
            """
            SELECT reference FROM library_copy_choices
            WHERE user_id = \(userID) AND source = \(song.source.number) AND source_id = \(song.track.sourceID)
                AND target = \(target.number)
            """)
        return (try row?["reference"], row != nil)
    }
}

extension CopyStore where Access == WriteTransaction {
    /// Applies a user's choices for entries that were not found, and stores them for the user's next copies. The caller
    /// submits the copy's job.
    ///
    /// - Throws: ``CopyRefusal``, or ``EditRefusal`` if the service was disconnected.
    package func choose(_ choices: [CopyChoice], of id: LibraryID, userID: String) throws -> LibraryCopy {
        guard var copy = try copy(id, userID: userID) else { throw CopyRefusal.noCopy }
        guard copy.state == .complete else { throw CopyRefusal.notComplete }
        let open = try entries(of: copy, in: [.missing, .leftOut], limit: .max)
        var byPosition = Dictionary(open.map { ($0.position, $0) }) { first, _ in first }
        let library = try transaction.library.libraryID(ofUser: userID)
        let songs = try library.map { try self.songs(of: open, library: $0) } ?? [:]
        let scan = try transaction.library.lastScan(of: copy.target, userID: userID)
        for choice in choices {
            guard var entry = byPosition[choice.position] else {
                throw CopyRefusal.noSuchEntry(position: choice.position)
            }
            if case .catalog(let source, _) = choice.reference, source != copy.target {
                throw CopyRefusal.otherSource(copy.target)
            }
            if let reference = choice.reference {
                guard let scan else { throw EditRefusal.sourceNotRead(copy.target) }
                if let refusal = try transaction.edits.refusal(of: reference, at: copy.target, scan: scan) {
                    throw CopyRefusal.noSuchSong(refusal)
                }
            }
            entry.reference = choice.reference?.text
            entry.state = choice.reference == nil ? .leftOut : .found
            byPosition[choice.position] = entry
            try updateEntries([entry], of: copy)
            guard let song = entry.sourceTrack.flatMap({ songs[$0] }) else { continue }
            try transaction.run(
                """
                INSERT INTO library_copy_choices (user_id, source, source_id, target, reference)
                VALUES (\(userID), \(song.source.number), \(song.track.sourceID), \(copy.target.number),
                    \(entry.reference))
                ON CONFLICT (user_id, source, source_id, target) DO UPDATE SET reference = excluded.reference
                """)
        }
        if choices.contains(where: { $0.reference != nil }) {
            (copy.state, copy.finishedAt, copy.repeats, copy.error) = (.queued, nil, 0, nil)
            // The user has seen the playlist, so the state after a restore is known.
            try transaction.run(
                """
                UPDATE library_copies SET restores = \(try transaction.restoreCount())
                WHERE user_id = \(copy.userID) AND id = \(copy.id.key)
                """)
        }
        try updateCopy(copy)
        return copy
    }
}
