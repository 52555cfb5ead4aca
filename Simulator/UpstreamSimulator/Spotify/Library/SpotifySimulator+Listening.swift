extension SpotifySimulator {
    /// `GET /me/top/artists` and `/me/top/tracks`: empty for somebody who has saved nothing.
    func top(_ visit: SpotifyVisit) throws(SpotifyRefusal) -> Answer {
        try visit.require("user-top-read")
        guard let range = SpotifyTopRange(rawValue: visit.call.target["time_range"] ?? "medium_term") else {
            throw .badRequest("Invalid time range")
        }
        let page = try SpotifyPage(visit.call.target, usual: 20, most: 50)
        let library = libraries.library(of: visit.person.id)
        let documents = visit.documents(library.catalog, titles: library.titles)
        guard visit.shape == "me/top/artists" else {
            let tracks = range.tracks(of: library)
            return Answer(
                document: page.document(
                    page.part(of: tracks).map { documents.track($0) }, total: tracks.count, url: visit.url,
                    query: visit.linkQuery))
        }
        let artists = range.artists(of: library)
        return Answer(
            document: page.document(
                page.part(of: artists).map { documents.artist($0) }, total: artists.count, url: visit.url,
                query: visit.linkQuery))
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
        let documents = visit.documents(library.catalog, titles: library.titles)
        let shown = plays.prefix(limit)
        var document = SpotifyPlaysDocument(
            items: shown.map { documents.play($0) }, next: nil, cursors: nil, limit: limit,
            href: "\(visit.url)?limit=\(limit)")
        if let first = shown.first, let last = shown.last {
            document.cursors = .init(after: String(first.endedAt), before: String(last.endedAt))
            if plays.count > limit { document.next = "\(visit.url)?before=\(last.endedAt)&limit=\(limit)" }
        }
        return Answer(document: document)
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
            return Answer(document: Devices())
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

    private struct Devices: Encodable {
        let devices: [String] = []
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
