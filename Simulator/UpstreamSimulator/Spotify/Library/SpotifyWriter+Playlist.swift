extension SpotifyWriter {
    /// Writes a person, as the owner of a playlist or as the one who added something.
    private func writeUser(_ json: inout JSONWriter, _ id: String) {
        json.object("external_urls") { $0.string("spotify", "https://open.spotify.com/user/\(id)") }
        json.string("href", "https://api.spotify.com/v1/users/\(id)")
        json.string("id", id)
        json.string("type", "user")
        json.string("uri", "spotify:user:\(id)")
    }

    /// Writes a playlist without its items. Development mode names their list twice.
    ///
    /// - Parameters:
    ///   - lists: writes the members `tracks` and `items`.
    private func writePlaylistMembers(
        _ json: inout JSONWriter, _ playlist: SavedPlaylist, snapshot: String, lists: (inout JSONWriter) -> Void
    ) {
        json.bool("collaborative", playlist.isCollaborative)
        if let description = playlist.description {
            json.string("description", description)
        } else {
            json.null("description")
        }
        writeIdentity(&json, "playlist", id: playlist.id)
        switch playlist.picture {
        case .none: json.null("images")
        case .empty: json.array("images") { _ in }
        case .cover:
            json.array("images") { json in
                json.object { json in
                    json.null("height")
                    json.string(
                        "url",
                        SimulatedMedia.address(
                            real: "https://i.scdn.co/image/ab67616d00001e02\(playlist.id)",
                            path: SimulatedMedia.picturePath(playlist.id, "300x300")))
                    json.null("width")
                }
            }
        }
        json.string("name", playlist.name)
        json.object("owner") { json in
            let others = [PersonalLibrary.editors: "Spotify", PersonalLibrary.friend: "Anna"]
            let name = others[playlist.owner] ?? SpotifyPerson(id: playlist.owner)?.name ?? ""
            if name.isEmpty { json.null("display_name") } else { json.string("display_name", name) }
            writeUser(&json, playlist.owner)
        }
        json.null("primary_color")
        if let isPublic = playlist.isPublic { json.bool("public", isPublic) } else { json.null("public") }
        json.string("snapshot_id", snapshot)
        lists(&json)
    }

    /// Writes a playlist as it appears in a list.
    func writeSimplifiedPlaylist(_ json: inout JSONWriter, _ playlist: SavedPlaylist, snapshot: String) {
        json.object { json in
            writePlaylistMembers(&json, playlist, snapshot: snapshot) { json in
                for name in mode == .legacy ? ["tracks"] : ["tracks", "items"] {
                    json.object(name) { json in
                        json.string("href", "https://api.spotify.com/v1/playlists/\(playlist.id)/\(name)")
                        json.number("total", playlist.items.count)
                    }
                }
            }
        }
    }

    /// Writes the full object, with the first page of its items for those who may read them.
    func writePlaylist(
        _ json: inout JSONWriter, _ playlist: SavedPlaylist, snapshot: String, showsItems: Bool, _ visit: SpotifyVisit
    ) {
        json.object { json in
            writePlaylistMembers(&json, playlist, snapshot: snapshot) { json in
                guard showsItems else { return }
                for name in mode == .legacy ? ["tracks"] : ["tracks", "items"] {
                    let page = SpotifyPage(limit: mode == .legacy ? 100 : 50, offset: 0)
                    writeItems(
                        &json, key: name, of: playlist, page, episodes: visit.takesEpisodes,
                        url: "\(visit.base)/playlists/\(playlist.id)/\(name)", query: visit.embeddedLinkQuery)
                }
            }
            json.object("followers") { json in
                json.null("href")
                json.number("total", 0)
            }
        }
    }

    /// Writes a page of a playlist's entries.
    ///
    /// - Parameters:
    ///   - episodes: whether `additional_types` has `episode`; without it an episode looks like a track.
    ///   - query: what the page's links repeat.
    func writeItems(
        _ json: inout JSONWriter, key: String? = nil, of playlist: SavedPlaylist, _ page: SpotifyPage,
        episodes: Bool, url: String, query: String
    ) {
        page.write(&json, key: key, url: url, query: query, total: playlist.items.count) { json in
            for item in playlist.items.dropFirst(page.offset).prefix(page.limit) {
                writeItem(&json, item, addedBy: playlist.owner, episodes: episodes)
            }
        }
    }

    private func writeItem(_ json: inout JSONWriter, _ item: SavedPlaylist.Item, addedBy: String, episodes: Bool) {
        var inner = JSONWriter()
        var isLocal = false
        switch item.content {
        case .track(let entry), .catalogSong(let entry): writeTrack(&inner, entry, isEntry: true)
        case .local(let number):
            isLocal = true
            writeLocal(&inner, number)
        case .episode(let number): writeEpisode(&inner, number, asTrack: !episodes)
        case .video, .upload, .unavailable: inner.null()
        }
        json.object { json in
            if item.addedAt == 0 {
                json.null("added_at")
                json.null("added_by")
            } else {
                json.string("added_at", CalendarText.moment(item.addedAt))
                json.object("added_by") { json in writeUser(&json, addedBy) }
            }
            json.bool("is_local", isLocal)
            json.null("primary_color")
            json.raw("track", inner.text)
            if mode == .dev2026 { json.raw("item", inner.text) }
            json.object("video_thumbnail") { $0.null("url") }
        }
    }

    /// Writes a file on the person's own computer: nothing about it has an id.
    private func writeLocal(_ json: inout JSONWriter, _ number: Int) {
        json.object { json in
            json.object("album") { json in
                json.null("album_type")
                json.array("artists") { _ in }
                if mode == .legacy { json.array("available_markets") { _ in } }
                json.object("external_urls") { _ in }
                json.null("href")
                json.null("id")
                json.array("images") { _ in }
                json.string("name", "Tape \(number)")
                json.null("release_date")
                json.null("release_date_precision")
                json.string("type", "album")
                json.null("uri")
            }
            json.array("artists") { json in
                json.object { json in
                    json.object("external_urls") { _ in }
                    json.null("href")
                    json.null("id")
                    json.string("name", "The Garage Years")
                    json.string("type", "artist")
                    json.null("uri")
                }
            }
            if mode == .legacy { json.array("available_markets") { _ in } }
            json.number("disc_number", 0)
            json.number("duration_ms", 201_000)
            json.bool("explicit", false)
            json.object("external_ids") { _ in }
            json.object("external_urls") { _ in }
            json.null("href")
            json.null("id")
            json.bool("is_local", true)
            json.string("name", "Rehearsal \(number)")
            if mode == .legacy { json.number("popularity", 0) }
            json.null("preview_url")
            json.number("track_number", 0)
            json.string("type", "track")
            json.string("uri", "spotify:local:The+Garage+Years:Tape+\(number):Rehearsal+\(number):201")
        }
    }

    /// Writes an episode or, for a caller that did not ask for episodes, a track with the data of its show.
    private func writeEpisode(_ json: inout JSONWriter, _ number: Int, asTrack: Bool) {
        let show = catalog.spotifyID(.show, UInt64(number))
        json.object { json in
            if asTrack {
                json.object("album") { json in
                    json.string("album_type", "show")
                    json.array("artists") { _ in }
                    writeIdentity(&json, "show", id: show)
                    json.array("images") { _ in }
                    json.string("name", "Liner Notes Aloud")
                    json.string("release_date", "2025-03-14")
                    json.string("release_date_precision", "day")
                    json.number("total_tracks", 0)
                }
                json.array("artists") { json in
                    json.object { json in
                        writeIdentity(&json, "show", id: show)
                        json.string("name", "Liner Notes Aloud")
                    }
                }
                json.number("disc_number", 0)
                json.object("external_ids") { _ in }
                json.number("track_number", 0)
                json.bool("is_local", false)
            } else {
                json.null("audio_preview_url")
                json.string("description", "Two friends read liner notes.")
                json.string("html_description", "<p>Two friends read liner notes.</p>")
                json.array("images") { _ in }
                json.bool("is_externally_hosted", false)
                json.string("language", "en")
                json.array("languages") { $0.string(nil, "en") }
                json.string("release_date", "2025-03-14")
                json.string("release_date_precision", "day")
                json.object("show") { json in
                    json.array("images") { _ in }
                    writeIdentity(&json, "show", id: show)
                    json.string("name", "Liner Notes Aloud")
                    json.number("total_episodes", 41)
                }
            }
            json.number("duration_ms", 3_121_000)
            json.bool("explicit", false)
            writeIdentity(&json, "episode", id: catalog.spotifyID(.episode, UInt64(number)))
            json.bool("is_playable", true)
            json.string("name", "Episode \(number): Side B")
            json.bool("episode", true)
            json.bool("track", false)
        }
    }
}
