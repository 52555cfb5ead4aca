import Library
import LibraryFiles
import LibraryWriting
import Model
import Storage

/// The number of entries per transaction.
private let entryPartSize = 500

extension LibraryImportRun {
    /// Writes a playlist, and counts those of its entries that are rows but not songs.
    ///
    /// - Parameters:
    ///   - kind: the kind of the file that contains the playlist.
    ///   - fileKind: the kind of the imported file, which may be an archive.
    func storePlaylist(
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
            let part = file.entries.dropFirst(start).prefix(entryPartSize)
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
