import Model
import Storage

/// Reading a copy back.
extension CopyRun {
    /// How often what the service does not show is written again.
    private static let mostRepeats = 1

    /// Compares the new playlist with what was written.
    ///
    /// A service that shows late is read when its time has passed, and once more after as long when it does not show
    /// all: what is missing then is written again. A playlist of which it shows nothing is asked about: it has confirmed
    /// the writes, and to make them again might double all.
    ///
    /// - Parameter written: when the last edit ended.
    func verify(_ copy: LibraryCopy, after written: Timestamp?) async throws {
        let latest = copy.target.showsLate ? written : nil
        try wait(settleTimes[copy.target], after: latest, for: copy)
        let sent = try await database.read { try $0.copies.entries(of: copy, in: [.sent, .placed], limit: .max) }
        var reading: CopyReading? = CopyReading(shown: [], source: copy.target)
        if !sent.isEmpty { reading = try await self.reading(of: copy) }
        if copy.target.showsLate, !sent.isEmpty, reading?.shown.isEmpty ?? false { reading = nil }
        let missing = reading?.missing(of: sent) ?? []
        if reading == nil || !missing.isEmpty { try wait(settleTimes[copy.target] * 2, after: latest, for: copy) }
        let isAgain = copy.repeats < Self.mostRepeats && !missing.isEmpty
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

    /// - Throws: ``EditRun/Postponed`` before the time has passed.
    private func wait(_ time: Duration, after written: Timestamp?, for copy: LibraryCopy) throws {
        guard let until = written?.advanced(by: time), now() < until else { return }
        throw EditRun.Postponed(
            until: until, message: "\(copy.target.displayName) shows new content late, and is read then.")
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
