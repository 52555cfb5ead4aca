import Gateway
import Hummingbird
import Library
import LibraryWriting
import Model
import Storage

/// `/v1/library`: reading a person's tracks, playlists and albums.
struct LibraryRoutes {
    let database: Database
    let pictures: PicturePaths
    private let cache = LibraryListCache()

    init(database: Database, pictures: PicturePaths) {
        self.database = database
        self.pictures = pictures
    }

    func add(to group: RouterGroup<GatewayContext>) {
        group.get("library/summary", use: summary)
        group.get("library/tracks", use: tracks)
        group.get("library/tracks/:id", use: track)
        group.get("library/playlists", use: playlists)
        group.get("library/playlists/:id", use: playlist)
        group.get("library/albums", use: albums)
        group.get("library/albums/:id", use: album)
        group.get("library/changes", use: changes)
        group.get("library/sources/:source/removal", use: removal)
    }

    @Sendable private func summary(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let summary = try await database.read { try $0.library.summary(userID: userID) }
        return .cacheable(JSONWriter.object { summary.writeMembers(to: &$0) }, for: request)
    }

    // MARK: Lists

    @Sendable private func tracks(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let query = try TrackListQuery(request)
        let page = try await database.read { [cache] reader in
            try reader.tracks.page(userID: userID, query, cache: cache)
        }
        return .cacheable(page.json { $1.writeMembers(to: &$0, pictures: pictures) }, for: request)
    }

    @Sendable private func playlists(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let query = try NameListQuery(request, of: LibraryLists.playlists)
        let (page, ownIDs) = try await database.read { reader in
            (try reader.playlists.page(userID: userID, query), try reader.ownSpotifyIDs(userID: userID))
        }
        return .cacheable(
            page.json { $1.writeMembers(to: &$0, pictures: pictures, ownIDs: ownIDs) }, for: request)
    }

    @Sendable private func albums(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let query = try NameListQuery(request, of: LibraryLists.albums, hasArtists: true)
        let page = try await database.read { try $0.albums.page(userID: userID, query) }
        return .cacheable(page.json { $1.writeMembers(to: &$0, pictures: pictures) }, for: request)
    }

    @Sendable private func changes(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let query = try ChangeListQuery(request)
        let page = try await database.read { [cache] reader in
            try reader.libraryChanges.page(userID: userID, query, cache: cache)
        }
        return .cacheable(page.json { $1.writeMembers(to: &$0) }, for: request)
    }

    // MARK: Single items

    @Sendable private func track(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let id = try context.libraryID(of: "track")
        let found = try await database.read { reader in
            // The id of a track that was merged into another one stands for that one.
            try reader.trackIdentity.survivor(of: id, userID: userID).flatMap { id in
                try reader.tracks.track(id, userID: userID).map { track in
                    (track, try reader.tracks.sourceTracks(ofTrack: id, userID: userID))
                }
            }
        }
        guard let (track, sourceTracks) = found else { throw Problem.notFound("track") }
        let body = JSONWriter.object { json in
            track.writeMembers(to: &json, pictures: pictures)
            json.member("sourceTracks") { json in
                json.array(sourceTracks) { json, sourceTrack in
                    json.object { sourceTrack.writeMembers(to: &$0, pictures: pictures) }
                }
            }
        }
        return .cacheable(body, for: request)
    }

    @Sendable private func playlist(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let id = try context.libraryID(of: "playlist")
        let start = try request.start { LibraryLists.entries.cursor($0) }
        let limit = try request.pageLimit(standard: 50, maximum: 200)
        let found = try await database.read { reader in
            try reader.playlists.playlist(id, userID: userID).map { playlist in
                (
                    playlist, try reader.playlists.entries(of: playlist, userID: userID, start: start, limit: limit),
                    try reader.ownSpotifyIDs(userID: userID)
                )
            }
        }
        guard let (playlist, page, ownIDs) = found else { throw Problem.notFound("playlist") }
        let body = JSONWriter.object { json in
            playlist.writeMembers(to: &json, pictures: pictures, ownIDs: ownIDs)
            page.writeMembers("entries", to: &json) { $1.writeMembers(to: &$0, pictures: pictures) }
        }
        return .cacheable(body, for: request)
    }

    @Sendable private func album(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let id = try context.libraryID(of: "album")
        let start = try request.start { LibraryLists.albumTracks.cursor($0) }
        // Most albums have fewer tracks than a page may have.
        let limit = try request.pageLimit(standard: 200, maximum: 200)
        let found = try await database.read { reader in
            try reader.albums.album(id, userID: userID).map { album in
                (album, try reader.albums.tracks(on: album, userID: userID, start: start, limit: limit))
            }
        }
        guard let (album, page) = found else { throw Problem.notFound("album") }
        let body = JSONWriter.object { json in
            album.writeMembers(to: &json, pictures: pictures)
            page.writeMembers("tracks", to: &json) { $1.writeMembers(to: &$0, pictures: pictures) }
        }
        return .cacheable(body, for: request)
    }

    // MARK: Disconnecting

    /// What disconnecting a source would delete.
    @Sendable private func removal(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let source = try context.musicSource
        let counts = try await database.read { try $0.sourceRemovals.removalCounts(of: source, userID: userID) }
        let body = JSONWriter.object { json in
            json.member("tracks", counts.tracks)
            json.member("playlists", counts.playlists)
            json.member("albums", counts.albums)
        }
        return .cacheable(body, for: request)
    }
}
