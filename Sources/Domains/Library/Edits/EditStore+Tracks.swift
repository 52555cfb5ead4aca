import Library
import LibraryWriting
import Model
import Storage

/// A song that a user named, with its ids at the service.
struct ResolvedTrack: Sendable {
    var track: EditTrack
    /// `nil` if the library does not know the song.
    var title: String?
}

extension [ResolvedTrack] {
    /// The ids of songs that the library does not know, by index.
    var unknown: [Int: String] {
        enumerated().reduce(into: [:]) {
            if $1.element.track.sourceTrack == nil { $0[$1.offset] = $1.element.track.id }
        }
    }
}

extension EditStore {
    /// Resolves references to the ids of songs at a service, in the given order.
    ///
    /// Apple Music's playlists accept library songs by their library ids, which remain valid when the catalog withdraws
    /// a song; only catalog songs can be saved.
    ///
    /// - Parameters:
    ///   - isForPlaylist: whether the songs are added to a playlist.
    ///   - isRemoving: whether the songs are removed: a track of the library may be saved at the service under several
    ///     ids, all of which are then removed.
    /// - Throws: ``EditRefusal`` for the first song that the service does not have.
    func resolve(
        _ references: [SongReference], at source: MusicSource, isForPlaylist: Bool, isRemoving: Bool = false,
        scan: SourceScan
    ) throws -> [ResolvedTrack] {
        var (catalog, ids): ([String], [Int64]) = ([], [])
        for reference in Set(references) {
            switch reference {
            case .catalog(source, let id):
                guard id.isCatalogID(of: source) else { throw EditRefusal.invalidCatalogID(source, id) }
                catalog.append(id)
            case .catalog: throw EditRefusal.trackNotInSource(source, title: nil)
            case .library(let id): ids.append(id.key)
            }
        }
        let tracks = try transaction.trackIdentity.survivors(of: ids, library: scan.libraryID)
        guard tracks.count == ids.count else { throw EditRefusal.noTrack }
        let parts = try transaction.tracks.parts(ofTracks: Array(Set(tracks.values)), library: scan.libraryID)
        let known = try known(catalog, at: source, scan: scan)
        return try references.flatMap { reference -> [ResolvedTrack] in
            switch reference {
            case .catalog(_, let id):
                guard let row = known[id] else { return [ResolvedTrack(track: EditTrack(id: id))] }
                let track = EditTrack(id: id, otherID: row.track.sourceID, sourceTrack: row.id)
                return [ResolvedTrack(track: track, title: row.track.title)]
            case .library(let id):
                let rows = tracks[id.key].flatMap { parts[$0] } ?? []
                let saved = rows.filter {
                    $0.source == source && $0.accountID == scan.accountID && $0.isSaved && $0.missingSince == nil
                }
                if isRemoving, !saved.isEmpty {
                    return saved.map { ResolvedTrack(track: $0.editTrack, title: $0.track.title) }
                }
                guard let row = Self.best(of: rows, at: source, account: scan.accountID) else {
                    throw EditRefusal.trackNotInSource(source, title: rows.first?.track.title ?? "")
                }
                let track = isForPlaylist ? row.entryTrack : row.editTrack
                return [ResolvedTrack(track: track, title: row.track.title)]
            }
        }
    }

    /// The source track to write: source tracks with a catalog id come before those without, and saved ones before
    /// those that are only in playlists.
    private static func best(of rows: [SourceTrackRow], at source: MusicSource, account: Int64) -> SourceTrackRow? {
        func rank(_ row: SourceTrackRow) -> Int {
            (row.editTrack.id == row.track.catalogID || source == .spotify ? 0 : 4) + (row.isSaved ? 0 : 2)
                + (row.missingSince == nil ? 0 : 1)
        }
        return rows.filter { $0.source == source && $0.accountID == account }
            .min { (rank($0), $0.id) < (rank($1), $1.id) }
    }

    /// Source tracks by their ids in the service's catalog.
    private func known(
        _ ids: [String], at source: MusicSource, scan: SourceScan
    ) throws -> [String: SourceTrackRow] {
        var found = try transaction.tracks.sourceTracks(ids, of: source, library: scan.libraryID)
        guard source == .appleMusic else { return found }
        let storefront = try transaction.library.storefront(of: source, userID: scan.userID)
        for part in ids.inParts {
            let rows = try transaction.map(
                """
                SELECT \(SourceTrackRow.columns) FROM library_source_tracks
                WHERE library_id = \(scan.libraryID) AND source = \(source.number)
                    AND catalog_id IN (\(list: part)) AND storefront = \(storefront)
                ORDER BY is_saved, id DESC
                """, SourceTrackRow.init)
            // Saved source tracks come last, so that they win.
            for row in rows { if let id = row.track.catalogID { found[id] = row } }
        }
        return found
    }
}

extension SourceTrackRow {
    /// The song as an edit writes it to a playlist.
    fileprivate var entryTrack: EditTrack {
        let track = editTrack
        guard let libraryID = track.otherID, isSaved, missingSince == nil else { return track }
        return EditTrack(id: libraryID, otherID: track.id, sourceTrack: id)
    }

    /// The song as an edit writes it.
    var editTrack: EditTrack {
        guard source == .appleMusic, let catalogID = track.catalogID, catalogID != track.sourceID else {
            return EditTrack(id: track.sourceID, sourceTrack: id)
        }
        return EditTrack(id: catalogID, otherID: track.sourceID, sourceTrack: id)
    }
}

extension String {
    /// Whether the id may be in a service's catalog: 22 letters and digits at Spotify, digits at Apple Music.
    fileprivate func isCatalogID(of source: MusicSource) -> Bool {
        switch source {
        case .appleMusic: isCatalogID && utf8.count <= 20
        case .spotify:
            utf8.count == 22
                && utf8.allSatisfy {
                    (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                }
        case .file: false
        }
    }
}
