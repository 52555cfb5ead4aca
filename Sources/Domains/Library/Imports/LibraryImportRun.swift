import DomainEvents
import JobStorage
import Library
import LibraryFiles
import LibraryWriting
import Model
import Storage

/// A run of an import: it reads the file in parts, and writes each part in one transaction together with the position
/// in the file. So every row counts once, and after a crash, the next run continues from there.
package struct LibraryImportRun: Sendable {
    /// Writes rows. It may run twice, and must change nothing but the database.
    package typealias Rows = @Sendable (WriteTransaction) throws -> WriteResult

    /// The result of a transaction.
    package struct WriteResult: Sendable {
        /// The progress after the transaction.
        package internal(set) var progress: Progress
        /// How much the transaction added to the library's contents from files.
        var use = ImportQuota.Use()
    }

    /// How much of the file has been written.
    package struct Progress: CheckpointState, Equatable {
        /// The number of the file's items that are done.
        var items = 0
        /// The number of entries done of the playlist that is next.
        var entries = 0
        /// The number of entries of all playlists that are done; `nil` is the same as 0.
        var writtenEntries: Int?

        package init() {}

        package var workDone: Int { items + entries + (writtenEntries ?? 0) }
    }

    /// The number of songs per transaction. It is small because other users' writes wait for it.
    private static let partSize = 50
    /// The number of rows per transaction for a file of listens, which are faster to write.
    private static let listenPartSize = 250
    /// The number of items in memory at a time.
    private static let readSize = 500
    private static let skipSize = 10_000

    let id: LibraryID
    let userID: String
    let database: Database
    private let path: @Sendable (_ file: String) -> String
    private let takesPrivate: Bool
    private let quota: ImportQuota
    let checkpoint: @Sendable (@escaping Rows) async throws -> WriteResult

    /// - Parameters:
    ///   - path: returns the path of a file with the given name.
    ///   - takesPrivate: whether plays from private sessions are imported as well.
    ///   - quota: how much a user's library may contain from files.
    ///   - checkpoint: writes rows and the resulting progress in one transaction (`LongJobContext.checkpoint`).
    package init(
        _ id: LibraryID, userID: String, database: Database, path: @escaping @Sendable (String) -> String,
        takesPrivate: Bool = false, quota: ImportQuota = ImportQuota(),
        checkpoint: @escaping @Sendable (@escaping Rows) async throws -> WriteResult
    ) {
        (self.id, self.userID, self.database) = (id, userID, database)
        (self.path, self.checkpoint) = (path, checkpoint)
        (self.takesPrivate, self.quota) = (takesPrivate, quota)
    }

    /// Reads the rest of the file and ends the import.
    ///
    /// - Returns: the import as it is then, which no longer needs its file; `nil` if it no longer exists because the
    ///   user was erased.
    package func run(from kept: Progress?) async throws -> LibraryImport? {
        guard let one = try await current(), one.state.needsFile else { return try await current() }
        var progress = kept ?? Progress()
        let reader = ImportReader(path: path(one.file))
        let room = ImportRoom(quota, used: try await database.read { [userID] in try $0.imports.used(userID: userID) })
        var kind: LibraryFileKind?
        do {
            for start in stride(from: 0, to: progress.items, by: Self.skipSize) {
                try await reader.skip(min(Self.skipSize, progress.items - start))
            }
            while true {
                let part = try await reader.read(Self.readSize)
                kind = part.kind
                try await storePart(part, &progress, room)
                if let failure = part.failure { throw failure }
                if part.isLast { break }
            }
            try await end(.complete, progress, of: kind)
        } catch let error as LibraryFileError {
            // When reading was cancelled, the reader's error does not describe the file.
            try Task.checkCancellation()
            let rows = try await current()?.counts.taken ?? 0
            let note = rows == 1 ? " One row before that was imported." : " The \(rows) rows before that were imported."
            try await end(.failed, progress, of: kind, error: error.description + (rows > 0 ? note : ""))
        } catch let reached as QuotaReached {
            try await end(
                .failed, progress, of: kind,
                error: "\(reached) The rows before that were imported. \(reached.quota.remedy), and import the file "
                    + "again.")
        }
        return try await current()
    }

    private func current() async throws -> LibraryImport? {
        try await database.read { [id, userID] in try $0.imports.one(id, userID: userID) }
    }

    /// - Parameter kind: the kind of the file; `nil` for one that was not recognized.
    private func end(
        _ state: LibraryImport.State, _ progress: Progress, of kind: LibraryFileKind?, error: String? = nil
    ) async throws {
        _ = try await checkpoint { [id, userID] transaction in
            // The rows are written with the kind, and a file may have none.
            if let kind, let one = try transaction.imports.one(id, userID: userID), one.kind == nil, one.state.needsFile
            {
                try transaction.imports.recordProgress(one.counts, kind: kind.rawValue, of: id, userID: userID)
            }
            try transaction.imports.end(id, as: state, error: error, userID: userID, now: .now())
            return WriteResult(progress: progress)
        }
    }

    // MARK: Writing

    private func storePart(
        _ part: ImportReader.Part, _ progress: inout Progress, _ room: ImportRoom
    ) async throws {
        var rows: [ImportReader.Item] = []
        for item in part.items {
            guard case .playlist(let playlist) = item.content else {
                if rows.last.map({ $0.kind != item.kind }) ?? false {
                    try await storeRows(&rows, of: part.kind, &progress, room)
                }
                rows.append(item)
                if rows.count >= (item.kind.hasListens ? Self.listenPartSize : Self.partSize) {
                    try await storeRows(&rows, of: part.kind, &progress, room)
                }
                continue
            }
            try await storeRows(&rows, of: part.kind, &progress, room)
            try await storePlaylist(playlist, of: item.kind, in: part.kind, &progress, room)
        }
        try await storeRows(&rows, of: part.kind, &progress, room)
    }

    private static let isPrivate = "it was played in a private session; import the file with private=true to include it"

    /// Writes songs and listens from one kind of file, and records the rows that were not imported.
    private func storeRows(
        _ rows: inout [ImportReader.Item], of kind: LibraryFileKind, _ progress: inout Progress, _ room: ImportRoom
    ) async throws {
        while !rows.isEmpty {
            if rows.contains(where: \.isSong) { try room.check() }
            let (some, before) = (rows, progress)
            let written = try await checkpoint { [self] in try storeFirst(of: some, from: kind, after: before, in: $0) }
            room.add(written.use)
            rows.removeFirst(written.progress.items - before.items)
            progress = written.progress
        }
    }

    /// Writes the first few of the rows, at least one: as many as recording their listens allows.
    private func storeFirst(
        of rows: [ImportReader.Item], from kind: LibraryFileKind, after progress: Progress,
        in transaction: WriteTransaction
    ) throws -> WriteResult {
        var written = WriteResult(progress: progress)
        guard var counts = try transaction.imports.one(id, userID: userID)?.counts else {
            written.progress.items += rows.count
            return written
        }
        var taken = rows[...]
        let listens = rows.enumerated().compactMap { place, row in includedListen(of: row).map { (place, $0) } }
        if let first = listens.first {
            let part = ListensImported(
                userID: userID, importID: id, format: rows[first.0].kind.rawValue,
                listens: listens.map { ImportedListen($0.1) })
            var recorded = ListensImported.Recorded(new: 0, taken: listens.count)
            try transaction.publish(part, with: &recorded)
            counts.new += recorded.new
            counts.joined += recorded.taken - recorded.new
            if recorded.taken < listens.count { taken = rows[..<listens[recorded.taken].0] }
        }
        var songs: [MusicSource: [(track: IncomingTrack, isSaved: Bool)]] = [:]
        var skips: [LibraryImport.Skip] = []
        for row in taken {
            switch row.content {
            case .track(let song, _):
                let track = IncomingTrack(song.track, of: row.kind.source)
                songs[row.kind.source, default: []].append((track, song.isSaved))
            case .listen(_, let line):
                if includedListen(of: row) == nil {
                    skips.append(LibraryImport.Skip(line: line, reason: Self.isPrivate))
                }
            case .continued: counts.joined += 1
            case .skipped(let line, let reason): skips.append(LibraryImport.Skip(line: line, reason: reason))
            case .playlist: break
            }
        }
        let now = Timestamp.now()
        for (source, songs) in songs {
            let scan = try transaction.library.readingOfFiles(source, userID: userID, now: now)
            let applied = try transaction.tracks.storeImportedTracks(songs, by: scan, now: now)
            try transaction.imports.recordItems("track", applied.ids, of: id, userID: userID)
            counts.new += applied.new
            counts.joined += songs.count - applied.new
            written.use.rows += applied.rows
            written.use.characters += applied.characters
        }
        try transaction.imports.recordSkips(skips, from: counts.skipped, of: id, userID: userID)
        counts.skipped += skips.count
        try transaction.imports.recordProgress(counts, kind: kind.rawValue, of: id, userID: userID)
        written.progress.items += taken.count
        return written
    }

    /// The listen of a row, unless it is to be left out.
    private func includedListen(of row: ImportReader.Item) -> FileListen? {
        guard case .listen(let listen, _) = row.content, takesPrivate || !listen.isPrivate else { return nil }
        return listen
    }
}

extension ImportReader.Item {
    fileprivate var isSong: Bool {
        if case .track = content { true } else { false }
    }
}

extension LibraryFileKind {
    /// The source of a file's rows: an export of Apple's Music app counts as Apple Music.
    var source: MusicSource { self == .appleMusicLibrary ? .appleMusic : .file }
}
