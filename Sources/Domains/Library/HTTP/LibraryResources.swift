import Gateway
import Library
import LibraryEdits
import Model

// The values of libraries in the API.

extension LibraryPage {
    /// `{items, total, nextCursor}`
    func json(_ members: (inout JSONWriter, Item) -> Void) -> [UInt8] {
        JSONWriter.object { writeMembers("items", to: &$0, members) }
    }

    /// - Parameter name: the name of the array.
    func writeMembers(
        _ name: StaticString, to json: inout JSONWriter, _ members: (inout JSONWriter, Item) -> Void
    ) {
        json.member(name) { json in
            json.array(items) { json, item in json.object { members(&$0, item) } }
        }
        json.member("total", total)
        json.member("nextCursor", nextCursor)
    }
}

extension LibrarySummary {
    func writeMembers(to json: inout JSONWriter) {
        json.member("tracks") { json in
            json.object {
                $0.member("all", tracks)
                $0.member("appleMusic", appleMusicTracks)
                $0.member("spotify", spotifyTracks)
                $0.member("both", sharedTracks)
            }
        }
        json.member("playlists", playlists)
        json.member("albums", albums)
        json.member("missing", missingTracks)
        json.member("lastSyncedAt", lastSyncedAt)
    }
}

extension LibraryTrack {
    func writeMembers(to json: inout JSONWriter, pictures: PicturePaths) {
        json.member("id", id.text)
        json.member("title", title)
        json.member("artist", artist)
        json.member("album", album)
        json.member("albumArtist", albumArtist)
        json.member("composer", composer)
        json.member("genres", genres)
        json.member("durationMs", durationMs)
        json.member("isrc", isrc)
        json.member("explicit", flag: isExplicit)
        json.member("discNumber", discNumber)
        json.member("trackNumber", trackNumber)
        json.member("releaseDate", releaseDate)
        json.member("artworkURL", artworkURL)
        json.member("picture", pictures.path(of: artworkURL))
        json.member("addedAt", addedAt)
        json.member("playCount", playCount)
        json.member("servicePlayCount", servicePlayCount)
        json.member("listens", listens)
        json.member("sources", sources.map(\.rawValue))
        json.member("inLibrary", isInLibrary)
        json.member("missingSince", missingSince)
    }
}

extension LibrarySourceTrack {
    func writeMembers(to json: inout JSONWriter, pictures: PicturePaths) {
        json.member("id", id.text)
        json.member("source", source.rawValue)
        json.member("sourceId", sourceID)
        json.member("title", title)
        json.member("artist", artist)
        json.member("album", album)
        json.member("catalogId", catalogID)
        json.member("storefront", storefront)
        json.member("albumArtist", albumArtist)
        json.member("composer", composer)
        json.member("genres", genres)
        json.member("durationMs", durationMs)
        json.member("isrc", isrc)
        json.member("explicit", flag: isExplicit)
        json.member("discNumber", discNumber)
        json.member("trackNumber", trackNumber)
        json.member("releaseDate", releaseDate)
        json.member("artworkURL", artworkURL)
        json.member("picture", pictures.path(of: artworkURL))
        json.member("addedAt", addedAt)
        json.member("popularity", popularity)
        json.member("previewURL", previewURL)
        json.member("playCount", playCount)
        json.member("lastPlayedAt", lastPlayedAt)
        json.member("rating", rating)
        json.member("inLibrary", isInLibrary)
        json.member("missingSince", missingSince)
        json.member("syncedAt", syncedAt)
    }
}

extension LibraryPlaylist {
    /// - Parameter ownIDs: the person's ids at Spotify, which identify their own playlists.
    func writeMembers(to json: inout JSONWriter, pictures: PicturePaths, ownIDs: [String]) {
        let permissions = PlaylistPermissions(of: self, ownIDs: ownIDs)
        json.member("id", id.text)
        json.member("source", source.rawValue)
        json.member("sourceId", sourceID)
        json.member("name", name)
        json.member("description", description)
        json.member("owner", ownerName ?? ownerID)
        json.member("ownerId", ownerID)
        json.member("trackCount", entryCount)
        json.member("isPublic", flag: isPublic)
        json.member("isCollaborative", flag: isCollaborative)
        json.member("artworkURL", artworkURL)
        json.member("picture", pictures.path(of: artworkURL))
        json.member("entriesState", entriesState)
        json.member("version", version)
        json.member("canAdd", permissions.canAdd)
        json.member("canRemove", permissions.canRemove)
        json.member("canRename", permissions.canRename)
        json.member("refusal", permissions.refusal)
        json.member("addedAt", addedAt)
        json.member("missingSince", missingSince)
        json.member("lastSyncedAt", lastSyncedAt)
    }
}

extension LibraryPlaylistEntry {
    func writeMembers(to json: inout JSONWriter, pictures: PicturePaths) {
        json.member("position", position)
        json.member("kind", kind)
        json.member("title", title)
        json.member("addedAt", addedAt)
        json.member("track") { json in
            guard let track else { return json.raw("null") }
            json.object { track.writeMembers(to: &$0, pictures: pictures) }
        }
    }
}

extension LibraryAlbum {
    func writeMembers(to json: inout JSONWriter, pictures: PicturePaths) {
        json.member("id", id.text)
        json.member("source", source.rawValue)
        json.member("sourceId", sourceID)
        json.member("name", name)
        json.member("artist", artist)
        json.member("releaseDate", releaseDate)
        json.member("trackCount", trackCount)
        json.member("genres", genres)
        json.member("artworkURL", artworkURL)
        json.member("picture", pictures.path(of: artworkURL))
        json.member("addedAt", addedAt)
        json.member("missingSince", missingSince)
        json.member("lastSyncedAt", lastSyncedAt)
    }
}

extension LibraryChangeRecord {
    func writeMembers(to json: inout JSONWriter) {
        json.member("id", id.text)
        json.member("at", at)
        json.member("kind", kind)
        json.member("item", item)
        json.member("source", source.rawValue)
        json.member("title", title)
        json.member("trackId", item == "track" ? itemID.text : nil)
        json.member("playlistId", item == "playlist" ? itemID.text : nil)
        json.member("albumId", item == "album" ? itemID.text : nil)
        json.member("syncId", syncID)
    }
}

extension TrackIdentityAnswer {
    func writeMembers(to json: inout JSONWriter) {
        json.member("trackId", trackID.text)
        json.member("sourceTracks") { json in
            json.array(sourceTracks) { json, sourceTrack in
                json.object {
                    $0.member("id", sourceTrack.id.text)
                    $0.member("source", sourceTrack.source.rawValue)
                    $0.member("title", sourceTrack.title)
                    $0.member("artist", sourceTrack.artist)
                    $0.member("album", sourceTrack.album)
                    $0.member("evidence", sourceTrack.evidence)
                }
            }
        }
        json.member("decisions") { json in
            json.array(decisions) { json, decision in json.object { decision.writeMembers(to: &$0) } }
        }
    }
}

extension TrackDecision {
    func writeMembers(to json: inout JSONWriter) {
        json.member("id", id.text)
        json.member("kind", kind.rawValue)
        json.member("at", at)
    }
}

extension LikelyDuplicate {
    func writeMembers(to json: inout JSONWriter, pictures: PicturePaths) {
        json.member("tracks", tracks.map(\.id.text))
        json.member("evidence", evidence)
        json.member("songs") { json in
            json.array(tracks) { json, track in json.object { track.writeMembers(to: &$0, pictures: pictures) } }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ name: StaticString, _ texts: [String]) {
        member(name) { json in json.array(texts) { $0.value($1) } }
    }

    /// - Parameter flag: `nil` where the source does not say.
    fileprivate mutating func member(_ name: StaticString, flag: Bool?) {
        member(name, raw: flag.map { $0 ? "true" : "false" })
    }
}
