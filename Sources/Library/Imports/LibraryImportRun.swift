import LibraryFiles
import Model
import Storage

/// A run of an import: it reads the file part by part, and writes each part in one transaction with the place in the
/// file behind it. So each row counts once, and after a crash the next run goes on there.
package struct LibraryImportRun: Sendable {
    package typealias Rows = @Sendable (WriteTransaction) throws -> Void
    /// Records listens of one kind of file in the transaction of their rows.
    ///
    /// - Returns: how many of them are new.
    package typealias Record =
        @Sendable (
            _ listens: [FileListen], _ kind: LibraryFileKind, _ id: LibraryID, _ userID: String, WriteTransaction
        ) throws -> Int

    /// How much of the file is written.
    package struct Progress: CheckpointState, Equatable {
        /// Items of the file.
        var items = 0
        /// Entries of the playlist that comes next.
        var entries = 0
        /// Entries of the playlists that are written. `nil` stands for none.
        var writtenEntries: Int?

        package init() {}

        package var workDone: Int { items + entries + (writtenEntries ?? 0) }
    }

    /// The songs of one transaction, for which other people's writes wait.
    private static let partSize = 50
    /// The rows of one transaction in a file of listens, which take less time.
    private static let listenPartSize = 250
    /// The items that are in memory.
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
    private let keep: @Sendable (Progress, @escaping Rows) async throws -> Void

    /// - Parameters:
    ///   - path: of a file by its name.
    ///   - takesPrivate: whether plays of private sessions are taken, too.
    ///   - quota: what a person's library may have of files.
    ///   - keep: writes rows and the progress in one transaction (`LongJobContext.checkpoint`).
    package init(
        _ id: LibraryID, userID: String, database: Database, path: @escaping @Sendable (String) -> String,
        takesPrivate: Bool = false, quota: ImportQuota = ImportQuota(), record: @escaping Record,
        keep: @escaping @Sendable (Progress, @escaping Rows) async throws -> Void
    ) {
        (self.id, self.userID, self.database) = (id, userID, database)
        (self.path, self.keep) = (path, keep)
        (self.takesPrivate, self.quota, self.record) = (takesPrivate, quota, record)
    }

    /// Reads the rest of the file, and ends the import.
    ///
    /// - Returns: the import as it is then, whose file is not needed any more; `nil` when there is none: the person was
    ///   erased.
    package func run(from kept: Progress?) async throws -> LibraryImport? {
        guard let one = try await current(), one.state.needsFile else { return try await current() }
        var progress = kept ?? Progress()
        let reader = ImportReader(path: path(one.file))
        let room = ImportRoom(quota, used: try await database.read { [userID] in try $0.imports.used(userID: userID) })
        do {
            for start in stride(from: 0, to: progress.items, by: Self.skipSize) {
                try await reader.skip(min(Self.skipSize, progress.items - start))
            }
            while true {
                let part = try await reader.read(Self.readSize)
                try await write(part, &progress, room)
                if let failure = part.failure { throw failure }
                if part.isLast { break }
            }
            try await end(.complete, progress)
        } catch let error as LibraryFileError {
            // What a reader says of a file whose reading was cancelled is not about the file.
            try Task.checkCancellation()
            let rows = try await current()?.counts.read ?? 0
            let note = rows > 0 ? " The \(rows) rows before that were imported." : ""
            try await end(.failed, progress, error: error.description + note)
        } catch let reached as QuotaReached {
            try await end(
                .failed, progress,
                error: "\(reached) The rows before that were imported. \(reached.quota.remedy), and import the file "
                    + "again.")
        }
        return try await current()
    }

    private func current() async throws -> LibraryImport? {
        try await database.read { [id, userID] in try $0.imports.one(id, userID: userID) }
    }

    private func end(_ state: LibraryImport.State, _ progress: Progress, error: String? = nil) async throws {
        try await keep(progress) { [id, userID] in
            try $0.imports.end(id, as: state, error: error, userID: userID, now: .now())
        }
    }

    // MARK: Writing

    private func write(
        _ part: ImportReader.Part, _ progress: inout Progress, _ room: ImportRoom
    ) async throws {
        var rows: [ImportReader.Item] = []
        for item in part.items {
            guard case .playlist(let playlist) = item.content else {
                rows.append(item)
                if rows.count >= (item.kind.hasListens ? Self.listenPartSize : Self.partSize) {
                    try await write(&rows, of: part.kind, &progress, room)
                }
                continue
            }
            try await write(&rows, of: part.kind, &progress, room)
            try await write(playlist, of: item.kind, &progress, room)
        }
        try await write(&rows, of: part.kind, &progress, room)
    }

    private static let isPrivate = "it was played in a private session; import the file with private=true to take it"

    /// Writes songs and listens, and notes what was not taken.
    private func write(
        _ rows: inout [ImportReader.Item], of kind: LibraryFileKind, _ progress: inout Progress, _ room: ImportRoom
    ) async throws {
        guard !rows.isEmpty else { return }
        var songs: [MusicSource: [(track: IncomingTrack, isSaved: Bool)]] = [:]
        var listens: [LibraryFileKind: [FileListen]] = [:]
        var (continued, skips) = (0, [LibraryImport.Skip]())
        for row in rows {
            switch row.content {
            case .track(let song, _):
                songs[row.kind.source, default: []].append(
                    (IncomingTrack(song.track, of: row.kind.source), song.isSaved))
            case .listen(let listen, let line) where listen.isPrivate && !takesPrivate:
                skips.append(LibraryImport.Skip(line: line, reason: Self.isPrivate))
            case .listen(let listen, _): listens[row.kind, default: []].append(listen)
            case .continued: continued += 1
            case .skipped(let line, let reason): skips.append(LibraryImport.Skip(line: line, reason: reason))
            case .playlist: break
            }
        }
        if !songs.isEmpty { try room.check() }
        progress.items += rows.count
        rows = []
        try await keep(progress) { [id, userID, songs, skips, listens, continued, record] transaction in
            guard var counts = try transaction.imports.one(id, userID: userID)?.counts else { return }
            let now = Timestamp.now()
            for (source, songs) in songs {
                let reading = try transaction.library.readingOfFiles(source, userID: userID, now: now)
                let written = try transaction.library.applyImported(songs, by: reading, now: now)
                try transaction.imports.keep("track", written.ids, of: id, userID: userID)
                counts.new += written.new
                counts.joined += songs.count - written.new
                room.add(rows: written.rows, characters: written.characters)
            }
            for (kind, listens) in listens {
                let new = try record(listens, kind, id, userID, transaction)
                counts.new += new
                counts.joined += listens.count - new
            }
            counts.joined += continued
            try transaction.imports.keep(skips, from: counts.skipped, of: id, userID: userID)
            counts.skipped += skips.count
            try transaction.imports.note(counts, kind: kind.rawValue, of: id, userID: userID)
        }
    }

    private func write(
        _ file: FilePlaylist, of kind: LibraryFileKind, _ progress: inout Progress, _ room: ImportRoom
    ) async throws {
        var playlist = SourcePlaylist(sourceID: file.key, name: file.name)
        playlist.description = file.description
        playlist.entryCount = file.entries.count
        // A playlist without entries is shown as well.
        repeat {
            let start = progress.entries
            let part = file.entries.dropFirst(start).prefix(Self.entryPartSize)
                .map { ImportedEntry(key: $0.key, title: $0.title, addedAt: $0.addedAt, kind: $0.kind.rawValue) }
            try room.check()
            room.add(rows: part.count, characters: part.reduce(0) { $0 + ($1.title?.utf8.count ?? 0) })
            let total = file.entries.count
            let isLast = start + part.count >= total
            progress.entries = isLast ? 0 : start + part.count
            if isLast { progress.writtenEntries = (progress.writtenEntries ?? 0) + total }
            progress.items += isLast ? 1 : 0
            try await keep(progress) { [id, userID, playlist] transaction in
                guard try transaction.imports.one(id, userID: userID) != nil else { return }
                let (library, now) = (transaction.library, Timestamp.now())
                let reading = try library.readingOfFiles(kind.source, userID: userID, now: now)
                guard let key = try library.openImported(playlist: playlist, by: reading, now: now) else { return }
                try library.stageImported(part, of: key, from: start, by: reading)
                guard isLast else { return }
                let shown = PlaylistToRead(id: key, sourceID: playlist.sourceID, upstreamVersion: nil)
                _ = try library.showStagedEntries(of: shown, total: total, by: reading, now: now)
                try transaction.imports.keep("playlist", [key], of: id, userID: userID)
            }
        } while progress.entries > 0
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

    /// The source of a file's rows: the library of Apple's Music app is Apple Music's.
    fileprivate var source: MusicSource { self == .appleMusicLibrary ? .appleMusic : .file }
}
