import JobStorage
import LibraryFiles
import Model
import Storage

/// A run of an import: it reads the file in parts, and writes each part in one transaction together with the position
/// in the file. So every row counts once, and after a crash, the next run continues from there.
package struct LibraryImportRun: Sendable {
    /// Writes rows. It may run twice, and must change nothing but the database.
    package typealias Rows = @Sendable (WriteTransaction) throws -> WriteResult
    /// Records the first few of the given listens, which are from one kind of file, in the transaction that writes
    /// their rows.
    ///
    /// - Returns: how many of them are new, and how many were recorded: at least one. The rest are passed again in the
    ///   next transaction.
    package typealias Record =
        @Sendable (
            _ listens: [FileListen], _ kind: LibraryFileKind, _ id: LibraryID, _ userID: String, WriteTransaction
        ) throws -> (new: Int, taken: Int)

    /// The result of a transaction.
    package struct WriteResult: Sendable {
        /// The progress after the transaction.
        package fileprivate(set) var progress: Progress
        /// How much the transaction added to the library's contents from files.
        fileprivate var use = ImportQuota.Use()
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
    private static let entryPartSize = 500

    private let id: LibraryID
    private let userID: String
    private let database: Database
    private let path: @Sendable (_ file: String) -> String
    private let takesPrivate: Bool
    private let quota: ImportQuota
    private let record: Record
    private let checkpoint: @Sendable (@escaping Rows) async throws -> WriteResult

    /// - Parameters:
    ///   - path: returns the path of a file with the given name.
    ///   - takesPrivate: whether plays from private sessions are imported as well.
    ///   - quota: how much a user's library may contain from files.
    ///   - checkpoint: writes rows and the resulting progress in one transaction (`LongJobContext.checkpoint`).
    package init(
        _ id: LibraryID, userID: String, database: Database, path: @escaping @Sendable (String) -> String,
        takesPrivate: Bool = false, quota: ImportQuota = ImportQuota(), record: @escaping Record,
        checkpoint: @escaping @Sendable (@escaping Rows) async throws -> WriteResult
    ) {
        (self.id, self.userID, self.database) = (id, userID, database)
        (self.path, self.checkpoint) = (path, checkpoint)
        (self.takesPrivate, self.quota, self.record) = (takesPrivate, quota, record)
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
                try await write(part, &progress, room)
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

    private func write(
        _ part: ImportReader.Part, _ progress: inout Progress, _ room: ImportRoom
    ) async throws {
        var rows: [ImportReader.Item] = []
        for item in part.items {
            guard case .playlist(let playlist) = item.content else {
                if rows.last.map({ $0.kind != item.kind }) ?? false {
                    try await write(&rows, of: part.kind, &progress, room)
                }
                rows.append(item)
                if rows.count >= (item.kind.hasListens ? Self.listenPartSize : Self.partSize) {
                    try await write(&rows, of: part.kind, &progress, room)
                }
                continue
            }
            try await write(&rows, of: part.kind, &progress, room)
            try await write(playlist, of: item.kind, in: part.kind, &progress, room)
        }
        try await write(&rows, of: part.kind, &progress, room)
    }

    private static let isPrivate = "it was played in a private session; import the file with private=true to include it"

    /// Writes songs and listens from one kind of file, and records the rows that were not imported.
    private func write(
        _ rows: inout [ImportReader.Item], of kind: LibraryFileKind, _ progress: inout Progress, _ room: ImportRoom
    ) async throws {
        while !rows.isEmpty {
            if rows.contains(where: \.isSong) { try room.check() }
            let (some, before) = (rows, progress)
            let written = try await checkpoint { [self] in try write(some, of: kind, after: before, in: $0) }
            room.add(written.use)
            rows.removeFirst(written.progress.items - before.items)
            progress = written.progress
        }
    }

    /// Writes the first few of the rows, at least one: as many as recording their listens allows.
    private func write(
        _ rows: [ImportReader.Item], of kind: LibraryFileKind, after progress: Progress,
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
            let recorded = try record(listens.map { $0.1 }, rows[first.0].kind, id, userID, transaction)
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

    /// Writes a playlist, and counts those of its entries that are rows but not songs.
    ///
    /// - Parameters:
    ///   - kind: the kind of the file that contains the playlist.
    ///   - fileKind: the kind of the imported file, which may be an archive.
    private func write(
        _ file: FilePlaylist, of kind: LibraryFileKind, in fileKind: LibraryFileKind, _ progress: inout Progress,
        _ room: ImportRoom
    ) async throws {
        let known = try await database.read { [userID, progress] in
            // A playlist of which a part is already written comes from this file.
            try progress.entries > 0 ? nil : $0.playlists.knownPlaylist(file, of: kind.source, userID: userID)
        }
        if let known {
            progress = try await passOver(known, with: file.otherRows, of: fileKind, after: progress).progress
            return
        }
        var playlist = SourcePlaylist(sourceID: file.key, name: file.name)
        playlist.description = file.description
        playlist.entryCount = file.entries.count
        let former = try await database.read { [userID, playlist] in
            try $0.imports.use(ofPlaylist: playlist.sourceID, of: kind.source, userID: userID)
        }
        // The entries of a playlist that is imported again replace its earlier entries.
        let growth = ImportQuota.Use(rows: max(0, file.entries.count - former.rows))
        try room.check(adding: growth.rows)
        room.add(growth)
        var characters = 0
        // Runs at least once, so that a playlist without entries is also shown.
        repeat {
            let (start, before) = (progress.entries, progress)
            let part = file.entries.dropFirst(start).prefix(Self.entryPartSize)
                .map { ImportEntry(key: $0.key, title: $0.title, addedAt: $0.addedAt, kind: $0.kind.rawValue) }
            let total = file.entries.count
            let written = try await checkpoint { [self, playlist] transaction in
                let isLast = start + part.count >= total
                var written = WriteResult(progress: before)
                written.progress.entries = isLast ? 0 : start + part.count
                if isLast { written.progress.writtenEntries = (before.writtenEntries ?? 0) + total }
                written.progress.items += isLast ? 1 : 0
                guard try transaction.imports.one(id, userID: userID) != nil else { return written }
                let (playlists, now) = (transaction.playlists, Timestamp.now())
                let scan = try transaction.library.readingOfFiles(kind.source, userID: userID, now: now)
                guard let key = try playlists.openImportedPlaylist(playlist: playlist, by: scan, now: now) else {
                    return written
                }
                written.use.characters = try playlists.stageImportedEntries(part, of: key, from: start, by: scan)
                guard isLast else { return written }
                let shown = PlaylistToRead(id: key, sourceID: playlist.sourceID, upstreamVersion: nil)
                _ = try playlists.showStagedEntries(of: shown, total: total, by: scan, now: now)
                // Keys ascend, so a playlist that this import made has a higher key. The file may have it twice.
                let isRepeated = try transaction.imports.has("playlist", key, of: id, userID: userID)
                try count(file.otherRows, areNew: key > id.key && !isRepeated, of: fileKind, in: transaction)
                try transaction.imports.recordItems("playlist", [key], of: id, userID: userID)
                return written
            }
            characters += written.use.characters
            progress = written.progress
        } while progress.entries > 0
        room.add(ImportQuota.Use(characters: max(0, characters - former.characters)))
    }

    /// Records that the library already has a playlist of the file.
    ///
    /// - Parameter rows: the number of its entries that are rows but not songs.
    private func passOver(
        _ playlist: Int64, with rows: Int, of fileKind: LibraryFileKind, after before: Progress
    ) async throws -> WriteResult {
        try await checkpoint { [self] transaction in
            var written = WriteResult(progress: before)
            written.progress.items += 1
            guard try transaction.imports.one(id, userID: userID) != nil else { return written }
            try count(rows, areNew: false, of: fileKind, in: transaction)
            try transaction.imports.recordKnown(playlist: playlist, of: id, userID: userID)
            return written
        }
    }

    /// Counts rows that were written with their playlist.
    ///
    /// - Parameter areNew: whether the library did not have the playlist before.
    private func count(
        _ rows: Int, areNew: Bool, of fileKind: LibraryFileKind, in transaction: WriteTransaction
    ) throws {
        guard rows > 0, var counts = try transaction.imports.one(id, userID: userID)?.counts else { return }
        if areNew { counts.new += rows } else { counts.joined += rows }
        try transaction.imports.recordProgress(counts, kind: fileKind.rawValue, of: id, userID: userID)
    }
}

extension ImportReader.Item {
    fileprivate var isSong: Bool {
        if case .track = content { true } else { false }
    }
}

extension LibraryFileKind {
    fileprivate var hasListens: Bool {
        switch self {
        case .spotifyHistory, .spotifyAccountData, .listenBrainz, .lastfm, .appleMusicActivity, .maloja, .koito,
            .listens,
            .listenTable:
            true
        case .appleMusicLibrary, .spotifyLibrary, .backline, .csv, .jspf, .xspf, .shazam, .zip: false
        }
    }

    /// The source of a file's rows: an export of Apple's Music app counts as Apple Music.
    fileprivate var source: MusicSource { self == .appleMusicLibrary ? .appleMusic : .file }
}
