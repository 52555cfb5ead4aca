import Library
import LibraryWriting
import Model
import Platform
import Storage

/// Verifying a copy by reading it back.
extension CopyRun {
    /// How many times entries that the service does not show are written again.
    private static let mostRepeats = 1
    /// How many consistency delays after the last write the end of a list counts as missing.
    private static let lateFactor = 8

    /// Compares the new playlist with what was written.
    ///
    /// A service that shows changes late is read only after its consistency delay. If it does not show everything, it
    /// is read once more after the same time again; what is still missing then is written again, unless others have
    /// changed the list since. If such a service shows nothing at all of the playlist, the user is asked: the service
    /// confirmed the writes, and repeating them might duplicate everything. For the same reason the songs that are
    /// missing at the end of the list are not written again: it is read a third time much later, and they are listed if
    /// it still does not show them.
    ///
    /// - Parameter edit: the last edit, which has finished.
    func verify(_ copy: LibraryCopy, after edit: LibraryEdit?) async throws {
        let latest = try await endOfWriting(edit)
        if copy.target.showsLate { try wait(consistencyDelays[copy.target], after: latest, for: copy) }
        let (sent, answered) = try await database.read { reader in
            (
                try reader.copies.entries(of: copy, in: [.sent, .placed], limit: .max),
                try edit.flatMap { try reader.edits.steps(of: $0).last { $0.state == .done }?.after?.version }
            )
        }
        var snapshot: CopySnapshot? = CopySnapshot(shown: [], source: copy.target)
        if !sent.isEmpty { snapshot = try await self.snapshot(of: copy) }
        if copy.target.showsLate, !sent.isEmpty, snapshot?.shown.isEmpty ?? false { snapshot = nil }
        let missing = snapshot?.missing(of: sent) ?? []
        if snapshot == nil || !missing.isEmpty {
            try wait(consistencyDelays[copy.target] * 2, after: latest, for: copy)
        }
        let late = copy.target.showsLate ? Self.end(of: sent, among: missing) : []
        if snapshot != nil, !late.isEmpty {
            try wait(consistencyDelays[copy.target] * Self.lateFactor, after: latest, for: copy)
        }
        let repeatable = missing.subtracting(late)
        // If the list has a different version, the user has removed songs or changed it otherwise.
        let isOurs = snapshot?.version == nil || snapshot?.version == answered
        let isAgain = copy.repeats < Self.mostRepeats && !repeatable.isEmpty && isOurs
        let changed =
            snapshot == nil
            ? [] : Self.changes(of: sent, missing: missing, repeated: isAgain ? repeatable : [], copy.target)
        let (notice, moment) = (snapshot?.notice(of: sent, name: copy.name), now())
        try await checkpoint { [isShown = snapshot != nil] transaction in
            try transaction.copies.updateEntries(changed, of: copy)
            guard var copy = try transaction.copies.copy(copy.id, userID: copy.userID) else { return }
            if !isShown {
                (copy.state, copy.jobID) = (.unclear, nil)
            } else if isAgain {
                copy.repeats += 1
            } else {
                (copy.state, copy.finishedAt, copy.jobID, copy.error) = (.complete, moment, nil, notice)
            }
            try transaction.copies.updateCopy(copy)
        }
    }

    /// When the copy's last edit finished. A time in the future comes from a clock that was ahead. It is replaced by
    /// the present time once, so that waits that are based on it come to an end.
    private func endOfWriting(_ edit: LibraryEdit?) async throws -> Timestamp? {
        guard var edit, let finishedAt = edit.finishedAt else { return nil }
        let moment = now()
        guard finishedAt > moment else { return finishedAt }
        edit.finishedAt = moment
        try await checkpoint { [edit] in try $0.edits.updateEdit(edit) }
        return moment
    }

    /// - Throws: ``EditRun/Postponement`` if the time has not passed yet.
    private func wait(_ time: Duration, after written: Timestamp?, for copy: LibraryCopy) throws {
        guard let until = written?.advanced(by: time), now() < until else { return }
        throw EditRun.Postponement(
            until: until, message: "\(copy.target.displayName) may not show everything yet. The playlist is read then.")
    }

    /// The positions of the entries after the last one that is shown.
    private static func end(of sent: [CopyEntry], among missing: Set<Int>) -> Set<Int> {
        Set(sent.map(\.position).sorted().reversed().prefix { missing.contains($0) })
    }

    private static func changes(
        of sent: [CopyEntry], missing: Set<Int>, repeated: Set<Int>, _ target: MusicSource
    ) -> [CopyEntry] {
        sent.compactMap { entry in
            var changed = entry
            if !missing.contains(entry.position) {
                changed.state = .placed
            } else if repeated.contains(entry.position) {
                changed.state = .found
            } else if repeated.isEmpty {
                changed.state = .missing
                changed.tried.append("written, but not shown by \(target.displayName)")
            }
            return changed == entry ? nil : changed
        }
    }

    /// The new playlist at the service.
    ///
    /// - Returns: `nil` if the service does not show the playlist and is one that shows new content late.
    private func snapshot(of copy: LibraryCopy) async throws -> CopySnapshot? {
        let id = try await database.read { reader in
            try copy.made.flatMap { try reader.playlists.playlist($0, userID: copy.userID)?.sourceID }
        }
        guard let id else { throw EditError(.playlistGone(copy.target)) }
        for _ in 0..<Self.mostReadings {
            let version = try await mark(copy.target, id)?.version
            guard var snapshot = try await snapshot(of: copy, by: id) else { return nil }
            snapshot.version = version
            // The list may have changed between two pages.
            if try await version == mark(copy.target, id)?.version { return snapshot }
        }
        throw EditRun.Postponement(
            until: now().advanced(by: Duration.seconds(10).dividedInTests),
            message: "The playlist “\(copy.name)” keeps changing while it is being read.")
    }

    /// How many times a list that changes while it is being read is immediately read again.
    private static let mostReadings = 3

    private func snapshot(of copy: LibraryCopy, by id: String) async throws -> CopySnapshot? {
        let source = try await library(copy.target)
        var entries: [SourcePlaylistEntry] = []
        var offset: Int? = 0
        while let start = offset {
            switch try await source.entries(id, start) {
            case .page(let page):
                entries += page.items
                offset = page.nextOffset
            case .empty: offset = nil
            case .forbidden where copy.target.showsLate: return nil
            case .forbidden: throw EditError(.playlistGone(copy.target))
            }
        }
        return CopySnapshot(shown: entries, source: copy.target)
    }
}
