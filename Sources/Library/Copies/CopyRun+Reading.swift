import Model
import Storage

/// Reading a copy back.
extension CopyRun {
    /// How often what the service does not show is written again.
    private static let mostRepeats = 1

    /// Compares the new playlist with what was written.
    ///
    /// A service that shows late is read when its time has passed. One that does not show all is read once more after
    /// as long: what is missing then is written again, unless others have changed the list since. A playlist of which a
    /// service that shows late shows nothing is asked about: it has confirmed the writes, and to make them again might
    /// double all.
    ///
    /// - Parameter edit: the last edit, which has ended.
    func verify(_ copy: LibraryCopy, after edit: LibraryEdit?) async throws {
        let latest = try await endOfWriting(edit)
        if copy.target.showsLate { try wait(settleTimes[copy.target], after: latest, for: copy) }
        let (sent, answered) = try await database.read { reader in
            (
                try reader.copies.entries(of: copy, in: [.sent, .placed], limit: .max),
                try edit.flatMap { try reader.edits.steps(of: $0).last { $0.state == .done }?.after?.version }
            )
        }
        var reading: CopyReading? = CopyReading(shown: [], source: copy.target)
        if !sent.isEmpty { reading = try await self.reading(of: copy) }
        if copy.target.showsLate, !sent.isEmpty, reading?.shown.isEmpty ?? false { reading = nil }
        let missing = reading?.missing(of: sent) ?? []
        if reading == nil || !missing.isEmpty { try wait(settleTimes[copy.target] * 2, after: latest, for: copy) }
        // Of a list of another version, the person has removed songs, or has changed it in another way.
        let isOurs = reading?.version == nil || reading?.version == answered
        let isAgain = copy.repeats < Self.mostRepeats && !missing.isEmpty && isOurs
        let changed = reading == nil ? [] : Self.changes(of: sent, missing: missing, isAgain: isAgain, copy.target)
        let (notice, moment) = (reading?.notice(of: sent, name: copy.name), now())
        try await keep { [isShown = reading != nil] transaction in
            try transaction.copies.write(changed, of: copy)
            guard var copy = try transaction.copies.copy(copy.id, userID: copy.userID) else { return }
            if !isShown {
                (copy.state, copy.jobID) = (.unclear, nil)
            } else if isAgain {
                copy.repeats += 1
            } else {
                (copy.state, copy.finishedAt, copy.jobID, copy.error) = (.complete, moment, nil, notice)
            }
            try transaction.copies.write(copy)
        }
    }

    /// When the last edit of the copy ended. A time in the future is of a clock that was ahead: it is replaced by the
    /// present one, once, so that what waits from then on comes to an end.
    private func endOfWriting(_ edit: LibraryEdit?) async throws -> Timestamp? {
        guard var edit, let finishedAt = edit.finishedAt else { return nil }
        let moment = now()
        guard finishedAt > moment else { return finishedAt }
        edit.finishedAt = moment
        try await keep { [edit] in try $0.edits.write(edit) }
        return moment
    }

    /// - Throws: ``EditRun/Postponed`` before the time has passed.
    private func wait(_ time: Duration, after written: Timestamp?, for copy: LibraryCopy) throws {
        guard let until = written?.advanced(by: time), now() < until else { return }
        throw EditRun.Postponed(
            until: until, message: "\(copy.target.displayName) may not show everything yet, and is read then.")
    }

    private static func changes(
        of sent: [CopyEntry], missing: Set<Int>, isAgain: Bool, _ target: MusicSource
    ) -> [CopyEntry] {
        sent.compactMap { entry in
            var changed = entry
            if !missing.contains(entry.position) {
                changed.state = .placed
            } else if isAgain {
                changed.state = .found
            } else {
                changed.state = .missing
                changed.tried.append("written, and not shown by \(target.displayName)")
            }
            return changed == entry ? nil : changed
        }
    }

    /// The new playlist at the service.
    ///
    /// - Returns: `nil` when the service does not show it, and shows new content late.
    private func reading(of copy: LibraryCopy) async throws -> CopyReading? {
        let id = try await database.read { reader in
            try copy.made.flatMap { try reader.library.playlist($0, userID: copy.userID)?.sourceID }
        }
        guard let id else { throw EditError(.playlistGone(copy.target)) }
        for _ in 0..<Self.mostReadings {
            let version = try await mark(copy.target, id)?.version
            guard var reading = try await reading(of: copy, by: id) else { return nil }
            reading.version = version
            // Others may have changed the list between two pages.
            if try await version == mark(copy.target, id)?.version { return reading }
        }
        throw EditRun.Postponed(
            until: now().advanced(by: Duration.seconds(10).dividedInTests),
            message: "The playlist “\(copy.name)” is being changed while it is read.")
    }

    /// How often a list that changes while it is read is read again at once.
    private static let mostReadings = 3

    private func reading(of copy: LibraryCopy, by id: String) async throws -> CopyReading? {
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
        return CopyReading(shown: entries, source: copy.target)
    }
}
