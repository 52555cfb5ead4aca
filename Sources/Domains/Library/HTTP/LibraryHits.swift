import Gateway
import Library
import Model
import Storage

/// A search's hits in a person's own library: the first few of each type.
package struct LibraryHits: Sendable {
    private var tracks: LibraryPage<LibraryTrack>?
    private var playlists: LibraryPage<LibraryPlaylist>?
    private var albums: LibraryPage<LibraryAlbum>?
    private var ownIDs: [String]

    /// The most hits of one type.
    private static let limit = 10

    /// - Parameter types: artists are not listed in a library.
    package init(_ text: String, types: [CatalogType], userID: String, in database: Database) async throws {
        let query = SearchQuery(text)
        // Each of them reads the library on its own, concurrently with the others.
        async let tracks =
            types.contains(.track)
            ? database.read { reader in
                try reader.tracks.page(
                    userID: userID,
                    TrackListQuery(
                        filter: .all, search: query, sort: .recentlyAdded, start: .after(nil), limit: Self.limit))
            } : nil
        async let names = database.read { reader in
            let names = NameListQuery(source: nil, search: query, start: .after(nil), limit: Self.limit)
            return (
                playlists: types.contains(.playlist) ? try reader.playlists.page(userID: userID, names) : nil,
                albums: types.contains(.album) ? try reader.albums.page(userID: userID, names) : nil,
                ownIDs: types.contains(.playlist) ? try reader.ownSpotifyIDs(userID: userID) : []
            )
        }
        self.tracks = try await tracks
        (playlists, albums, ownIDs) = try await names
    }

    /// Writes the requested types.
    package func writeMembers(to json: inout JSONWriter, pictures: PicturePaths) {
        Self.write("tracks", tracks, to: &json) { $1.writeMembers(to: &$0, pictures: pictures) }
        Self.write("albums", albums, to: &json) { $1.writeMembers(to: &$0, pictures: pictures) }
        Self.write("playlists", playlists, to: &json) {
            $1.writeMembers(to: &$0, pictures: pictures, ownIDs: ownIDs)
        }
    }

    private static func write<Item>(
        _ name: StaticString, _ page: LibraryPage<Item>?, to json: inout JSONWriter,
        _ members: (inout JSONWriter, Item) -> Void
    ) {
        guard let page else { return }
        json.member(name) { json in json.object { page.writeMembers("items", to: &$0, members) } }
    }
}
