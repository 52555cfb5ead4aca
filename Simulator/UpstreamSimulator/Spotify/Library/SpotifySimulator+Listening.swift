extension SpotifySimulator {
    /// `GET /me/top/artists` and `/me/top/tracks`: empty for somebody who has saved nothing.
    func top(_ visit: SpotifyVisit) throws(SpotifyRefusal) -> Answer {
        try visit.require("user-top-read")
        guard let range = SpotifyTopRange(rawValue: visit.call.target["time_range"] ?? "medium_term") else {
            throw .badRequest("Invalid time range")
        }
        let page = try SpotifyPage(visit.call.target, usual: 20, most: 50)
        let library = libraries.library(of: visit.person.id)
        let writer = visit.writer(library.catalog, titles: library.titles)
        let artists = visit.shape == "me/top/artists" ? range.artists(of: library) : []
        let tracks = visit.shape == "me/top/tracks" ? range.tracks(of: library) : []
        return Self.json { json in
            page.write(&json, url: visit.url, query: visit.linkQuery, total: artists.count + tracks.count) { json in
                for artist in artists.dropFirst(page.offset).prefix(page.limit) { writer.writeArtist(&json, artist) }
                for track in tracks.dropFirst(page.offset).prefix(page.limit) { writer.writeTrack(&json, track) }
            }
        }
    }

    /// `GET /me/player/recently-played`: the last plays, the latest first, with cursors and without a total.
    func recentlyPlayed(_ visit: SpotifyVisit) throws(SpotifyRefusal) -> Answer {
        try visit.require("user-read-recently-played")
        let target = visit.call.target
        let limit = try SpotifyPage(target, usual: 20, most: 50).limit
        let (after, before) = (try visit.moment("after"), try visit.moment("before"))
        guard after == nil || before == nil else { throw .badRequest("Only one of after and before can be given") }
        let library = libraries.library(of: visit.person.id)
        let plays = library.plays.filter { play in
            after.map { play.endedAt > $0 } ?? before.map { play.endedAt < $0 } ?? true
        }
        let writer = visit.writer(library.catalog, titles: library.titles)
        let shown = plays.prefix(limit)
        return Self.json { json in
            json.object { json in
                json.array("items") { json in
                    for play in shown { writer.writePlay(&json, play) }
                }
                if let last = shown.last, plays.count > limit {
                    json.string("next", "\(visit.url)?before=\(last.endedAt)&limit=\(limit)")
                } else {
                    json.null("next")
                }
                if let first = shown.first, let last = shown.last {
                    json.object("cursors") { json in
                        json.string("after", String(first.endedAt))
                        json.string("before", String(last.endedAt))
                    }
                } else {
                    json.null("cursors")
                }
                json.number("limit", limit)
                json.string("href", "\(visit.url)?limit=\(limit)")
            }
        }
    }

    /// The player. Nobody here has a device: nothing is playing, and commands find no device. Its other answers are
    /// available as faults.
    func player(_ visit: SpotifyVisit) throws(SpotifyRefusal) -> Answer {
        switch (visit.call.method, visit.shape) {
        case (.get, "me/player"):
            try visit.require("user-read-playback-state")
            return Answer(status: 204, contentType: "", body: "")
        case (.get, "me/player/currently-playing"):
            try visit.require("user-read-currently-playing")
            return Answer(status: 204, contentType: "", body: "")
        case (.get, "me/player/devices"):
            try visit.require("user-read-playback-state")
            return Self.json { json in
                json.object { $0.array("devices") { _ in } }
            }
        case (.get, "me/player/recently-played"): return try recentlyPlayed(visit)
        case (.put, "me/player"):
            try visit.require("user-modify-playback-state")
            let transfer = try visit.document(as: Transfer.self)
            guard transfer.deviceIDs?.count == 1 else { throw .badRequest("Exactly one device_id is required") }
            throw .deviceNotFound
        case (.put, "me/player/play"), (.put, "me/player/pause"), (.post, "me/player/next"):
            try visit.require("user-modify-playback-state")
            guard visit.call.target["device_id"] == nil else { throw .deviceNotFound }
            throw .noActiveDevice
        default: throw .service
        }
    }

    private struct Transfer: Decodable {
        var deviceIDs: [String]?

        enum CodingKeys: String, CodingKey {
            case deviceIDs = "device_ids"
        }
    }
}

extension SpotifyVisit {
    /// A parameter in milliseconds since 1970.
    fileprivate func moment(_ name: String) throws(SpotifyRefusal) -> Int64? {
        guard let text = call.target[name] else { return nil }
        guard let moment = Int64(text), moment >= 0 else { throw .badRequest("Invalid \(name)") }
        return moment
    }
}

extension SpotifyWriter {
    /// Writes a play; two of three are from an album.
    fileprivate func writePlay(_ json: inout JSONWriter, _ play: Play) {
        json.object { json in
            writeTrack(&json, key: "track", play.track.entry)
            json.string("played_at", CalendarText.moment(milliseconds: play.endedAt))
            guard play.track.entry.recording % 3 != 0 else { return json.null("context") }
            let id = catalog.spotifyID(.album, UInt64(play.track.entry.release.number))
            json.object("context") { json in
                json.string("type", "album")
                json.object("external_urls") { $0.string("spotify", "https://open.spotify.com/album/\(id)") }
                json.string("href", "https://api.spotify.com/v1/albums/\(id)")
                json.string("uri", "spotify:album:\(id)")
            }
        }
    }
}
