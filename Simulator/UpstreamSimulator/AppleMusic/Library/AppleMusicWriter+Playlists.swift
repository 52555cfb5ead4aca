/// Playlists of the catalog: those that people have made public.
extension AppleMusicWriter {
    /// The number of tracks that are included with a playlist.
    static let playlistPage = 100

    /// The items of a playlist that others see: nothing that is only in its owner's library, and nothing that the
    /// storefront does not sell.
    func items(of playlist: SavedPlaylist) -> [SavedPlaylist.Content] {
        playlist.items.map(\.content).filter { content in
            switch content {
            case .track(let entry), .catalogSong(let entry):
                catalog.isAvailable(entry.recording, in: storefront)
            case .video: true
            case .upload, .local, .episode, .unavailable: false
            }
        }
    }

    func writePlaylist(_ json: inout JSONWriter, _ playlist: SavedPlaylist) {
        let id = playlist.sharedID ?? ""
        let items = items(of: playlist)
        let path = "/v1/catalog/\(storefront)/playlists/\(id)/tracks"
        json.object { json in
            writeIdentity(&json, "playlists", id: id)
            json.object("attributes") { json in
                if playlist.picture == .cover { writeArtwork(&json, Int(playlist.changedAt)) }
                json.string("curatorName", playlist.owner)
                if let description = playlist.description {
                    json.object("description") { $0.string("standard", description) }
                }
                json.bool("isChart", false)
                json.string("lastModifiedDate", CalendarText.moment(playlist.changedAt))
                json.string("name", playlist.name)
                json.object("playParams") { json in
                    json.string("id", id)
                    json.string("kind", "playlist")
                }
                json.string("playlistType", "user-shared")
                json.string("url", "https://music.apple.com/\(storefront)/playlist/\(id)")
            }
            json.object("relationships") { json in
                json.object("tracks") { json in
                    json.string("href", path)
                    if items.count > Self.playlistPage { json.string("next", "\(path)?offset=\(Self.playlistPage)") }
                    json.array("data") { json in
                        for item in items.prefix(Self.playlistPage) { writeItem(&json, item) }
                    }
                }
            }
        }
    }

    /// A song or music video of a playlist.
    func writeItem(_ json: inout JSONWriter, _ content: SavedPlaylist.Content) {
        switch content {
        case .track(let entry), .catalogSong(let entry): writeSong(&json, entry)
        case .video(let number):
            json.object { json in
                writeIdentity(&json, "music-videos", id: String(1_900_000_000 + number))
                json.object("attributes") { json in
                    json.string("artistName", catalog.name(ofArtist: 0, on: .apple))
                    json.number("durationInMillis", 222_000)
                    json.string("name", "Film of a Song \(number)")
                }
            }
        case .upload, .local, .episode, .unavailable: break
        }
    }
}

extension SavedPlaylist {
    /// Apple: its id in the catalog; `nil` for one that is not public.
    var sharedID: String? { isPublic == true ? "pl.u-\(id.dropFirst(2))" : nil }
}
