/// A playlist. Development mode names the list of its items twice.
struct SpotifyPlaylistDocument: Encodable {
    /// A person, as the owner of a playlist.
    struct Owner: Encodable {
        @Nullable var displayName: String?

        enum CodingKeys: String, CodingKey {
            case displayName = "display_name"
        }
    }

    /// What a playlist says about its items: where they are, or the first page of them.
    enum Items: Encodable {
        struct Reference: Encodable {
            var href: String
            var total: Int
        }

        case reference(Reference)
        case page(SpotifyPagingDocument<SpotifyPlaylistItemDocument>)

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .reference(let reference): try reference.encode(to: encoder)
            case .page(let page): try page.encode(to: encoder)
            }
        }
    }

    var collaborative: Bool
    @Nullable var description: String?
    @Nullable var images: [SpotifyImageDocument]?
    var name: String
    var owner: SpotifyObject<Owner>
    let primaryColor = JSONNull()
    @Nullable var isPublic: Bool?
    var snapshotID: String
    var tracks: Items?
    var items: Items?
    /// Only in the full object.
    var followers: SpotifyFollowersDocument?

    enum CodingKeys: String, CodingKey {
        case collaborative, description, images, name, owner
        case primaryColor = "primary_color"
        case isPublic = "public"
        case snapshotID = "snapshot_id"
        case tracks, items, followers
    }
}

extension SpotifyDocuments {
    /// A playlist as it appears in a list.
    func simplifiedPlaylist(_ playlist: SavedPlaylist, snapshot: String) -> SpotifyObject<SpotifyPlaylistDocument> {
        var document = playlistDocument(playlist, snapshot: snapshot)
        setItems(of: &document) { name in
            .reference(
                .init(
                    href: "https://api.spotify.com/v1/playlists/\(playlist.id)/\(name)", total: playlist.items.count))
        }
        return SpotifyObject("playlist", id: playlist.id, document)
    }

    /// The full object, with the first page of its items for those who may read them.
    func playlist(
        _ playlist: SavedPlaylist, snapshot: String, showsItems: Bool, _ visit: SpotifyVisit
    ) -> SpotifyObject<SpotifyPlaylistDocument> {
        var document = playlistDocument(playlist, snapshot: snapshot)
        if showsItems {
            let page = SpotifyPage(limit: mode == .legacy ? 100 : 50, offset: 0)
            setItems(of: &document) { name in
                .page(
                    items(
                        of: playlist, page, episodes: visit.takesEpisodes,
                        url: "\(visit.base)/playlists/\(playlist.id)/\(name)", query: visit.embeddedLinkQuery))
            }
        }
        document.followers = SpotifyFollowersDocument(total: 0)
        return SpotifyObject("playlist", id: playlist.id, document)
    }

    private func setItems(
        of document: inout SpotifyPlaylistDocument, _ items: (_ name: String) -> SpotifyPlaylistDocument.Items
    ) {
        document.tracks = items("tracks")
        if mode == .dev2026 { document.items = items("items") }
    }

    private func playlistDocument(_ playlist: SavedPlaylist, snapshot: String) -> SpotifyPlaylistDocument {
        let others = [PersonalLibrary.editors: "Spotify", PersonalLibrary.friend: "Anna"]
        let owner = others[playlist.owner] ?? SpotifyPerson(id: playlist.owner)?.name ?? ""
        return SpotifyPlaylistDocument(
            collaborative: playlist.isCollaborative, description: playlist.description, images: images(of: playlist),
            name: playlist.name,
            owner: SpotifyObject("user", id: playlist.owner, .init(displayName: owner.isEmpty ? nil : owner)),
            isPublic: playlist.isPublic, snapshotID: snapshot)
    }

    private func images(of playlist: SavedPlaylist) -> [SpotifyImageDocument]? {
        switch playlist.picture {
        case .none: return nil
        case .empty: return []
        case .cover:
            let url = SimulatedMedia.address(
                real: "https://i.scdn.co/image/ab67616d00001e02\(playlist.id)",
                path: SimulatedMedia.picturePath(playlist.id, "300x300"))
            return [SpotifyImageDocument(height: nil, url: url, width: nil)]
        }
    }
}
