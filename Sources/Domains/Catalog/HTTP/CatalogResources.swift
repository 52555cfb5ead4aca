import Catalog
import Gateway
import Model

/// Writes services' items as the API shows them.
struct CatalogWriter: Sendable {
    let source: MusicSource
    let links: CatalogLinks
    let pictures: PicturePaths

    // MARK: Items

    func write(_ artist: CatalogArtist, to json: inout JSONWriter) {
        json.member("source", source.rawValue)
        json.member("sourceId", artist.sourceID)
        json.member("name", artist.name)
        json.member("genres") { json in json.array(artist.genres) { $0.value($1) } }
        json.member("picture", pictures.path(of: Picture(sizes: artist.pictures)))
        json.member("url", artist.url)
        json.member("isRanked", links.isRanked(artist))
    }

    func write(_ track: CatalogTrack, to json: inout JSONWriter) {
        json.member("source", source.rawValue)
        json.member("sourceId", track.sourceID)
        json.member("title", track.title)
        json.member("artist", track.artists.joinedNames)
        write(track.artists, to: &json)
        json.member("album") { json in
            guard let album = track.album else { return json.raw("null") }
            json.object { Self.write(album, to: &$0) }
        }
        json.member("durationMs", track.durationMs)
        json.member("isrc", track.isrc)
        json.member("explicit", raw: track.isExplicit.map { $0 ? "true" : "false" })
        json.member("discNumber", track.discNumber)
        json.member("trackNumber", track.trackNumber)
        json.member("releaseDate", track.releaseDate?.text)
        json.member("picture", pictures.path(of: Picture(sizes: track.pictures)))
        json.member("url", track.url)
        json.member("libraryTrackId", links.libraryID(of: track))
    }

    func write(_ album: CatalogAlbum, to json: inout JSONWriter) {
        json.member("source", source.rawValue)
        json.member("sourceId", album.sourceID)
        json.member("name", album.name)
        json.member("artist", album.artists.joinedNames)
        write(album.artists, to: &json)
        json.member("releaseDate", album.releaseDate?.text)
        json.member("trackCount", album.trackCount)
        json.member("genres") { json in json.array(album.genres) { $0.value($1) } }
        json.member("picture", pictures.path(of: Picture(sizes: album.pictures)))
        json.member("url", album.url)
        json.member("libraryAlbumId", links.libraryID(of: album))
    }

    func write(_ playlist: CatalogPlaylist, to json: inout JSONWriter) {
        json.member("source", source.rawValue)
        json.member("sourceId", playlist.sourceID)
        json.member("name", playlist.name)
        json.member("description", playlist.description)
        json.member("owner", playlist.ownerName)
        json.member("trackCount", playlist.trackCount)
        json.member("picture", pictures.path(of: Picture(sizes: playlist.pictures)))
        json.member("url", playlist.url)
    }

    private func write(_ artists: [CatalogReference], to json: inout JSONWriter) {
        json.member("artists") { json in
            json.array(artists) { json, artist in json.object { Self.write(artist, to: &$0) } }
        }
    }

    private static func write(_ reference: CatalogReference, to json: inout JSONWriter) {
        json.member("sourceId", reference.sourceID)
        json.member("name", reference.name)
    }

    // MARK: Lists

    /// A list in one page.
    func list(_ artists: [CatalogArtist]) -> [UInt8] {
        JSONWriter.object { json in
            json.member("items") { json in json.array(artists) { json, item in json.object { write(item, to: &$0) } } }
            json.member("nextCursor", nil as String?)
        }
    }

    /// A list in one page.
    func list(_ tracks: [CatalogTrack]) -> [UInt8] {
        JSONWriter.object { json in
            json.member("items") { json in json.array(tracks) { json, item in json.object { write(item, to: &$0) } } }
            json.member("nextCursor", nil as String?)
        }
    }

    /// A page of a search's hits of one type: `items`, `total` and `nextCursor`.
    func writeMembers(of answer: CatalogAnswer, type: CatalogType, to json: inout JSONWriter) {
        let cursor: (Int) -> String = { CatalogCursors.search.text(of: type.rawValue, $0) }
        switch answer {
        case .tracks(let page): writePage(page, to: &json, cursor: cursor) { write($0, to: &$1) }
        case .albums(let page): writePage(page, to: &json, cursor: cursor) { write($0, to: &$1) }
        case .artists(let page): writePage(page, to: &json, cursor: cursor) { write($0, to: &$1) }
        case .playlists(let page): writePage(page, to: &json, cursor: cursor) { write($0, to: &$1) }
        case .item, .missing: break
        }
    }

    /// - Parameter cursor: the cursor of an offset.
    func writePage<Item>(
        _ page: SourcePage<Item>, to json: inout JSONWriter, cursor: (Int) -> String,
        _ item: (Item, inout JSONWriter) -> Void
    ) {
        json.member("items") { json in
            json.array(page.items) { json, value in json.object { item(value, &$0) } }
        }
        json.member("total", page.total)
        let next = page.nextOffset.flatMap { CatalogCursors.offsets.contains($0) ? $0 : nil }
        json.member("nextCursor", next.map(cursor))
    }

    // MARK: One item

    /// An item with a page of its contents.
    ///
    /// - Parameters:
    ///   - page: the item that has the page: the item itself, or a further page of it.
    func document(_ subject: CatalogItem.Subject, page: CatalogItem) -> [UInt8] {
        let cursor: (Int) -> String = { CatalogCursors.item.text(of: $0) }
        return JSONWriter.object { json in
            switch subject {
            case .track(let track):
                json.member("type", CatalogType.track.rawValue)
                write(track, to: &json)
            case .album(let album):
                json.member("type", CatalogType.album.rawValue)
                write(album, to: &json)
                writeTracks(of: page, to: &json, cursor: cursor)
            case .artist(let artist):
                json.member("type", CatalogType.artist.rawValue)
                write(artist, to: &json)
                json.member("albums") { json in
                    guard let albums = page.albums else { return json.raw("null") }
                    json.object { json in writePage(albums, to: &json, cursor: cursor) { write($0, to: &$1) } }
                }
            case .playlist(let playlist):
                json.member("type", CatalogType.playlist.rawValue)
                write(playlist, to: &json)
                writeTracks(of: page, to: &json, cursor: cursor)
            }
        }
    }

    private func writeTracks(of item: CatalogItem, to json: inout JSONWriter, cursor: (Int) -> String) {
        json.member("tracks") { json in
            guard let tracks = item.tracks else { return json.raw("null") }
            json.object { json in writePage(tracks, to: &json, cursor: cursor) { write($0, to: &$1) } }
        }
    }
}
