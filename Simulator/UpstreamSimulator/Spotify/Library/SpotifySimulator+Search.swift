import Foundation

extension SpotifySimulator {
    private static let searchTypes = [
        "album", "artist", "playlist", "track", "show", "episode", "audiobook",
    ]

    /// `GET /search`: one paging object for each type.
    func search(_ visit: SpotifyVisit) throws(SpotifyRefusal) -> Answer {
        let target = visit.call.target
        guard let text = target["q"], !text.isEmpty else { throw .badRequest("No search query") }
        let types = target.list("type")
        guard !types.isEmpty else { throw .badRequest("Missing parameter type") }
        if let unknown = types.first(where: { !Self.searchTypes.contains($0) }) {
            throw .badRequest("Bad search type field \(unknown)")
        }
        let isShort = visit.mode == .dev2026
        let page = try SpotifyPage(
            target, usual: isShort ? 5 : 20, most: isShort ? 10 : 50, largestOffset: 1_000)

        let search = SpotifySearch(text)
        let entries = find(search)
        let writer = visit.writer(recordings.catalog)
        let escaped = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return Self.json { json in
            json.object { json in
                for type in types {
                    func write(_ json: inout JSONWriter, _ total: Int, items: (inout JSONWriter) -> Void) {
                        page.write(
                            &json, key: type + "s", url: visit.url, query: "query=\(escaped)&type=\(type)",
                            total: total, items: items)
                    }
                    switch type {
                    case "track":
                        write(&json, entries.count) { json in
                            for entry in entries.dropFirst(page.offset).prefix(page.limit) {
                                writer.writeTrack(&json, entry)
                            }
                        }
                    case "album":
                        let albums = releases(search, among: entries)
                        write(&json, albums.count) { json in
                            for release in albums.dropFirst(page.offset).prefix(page.limit) {
                                writer.writeSimplifiedAlbum(&json, release)
                            }
                        }
                    case "artist":
                        let artists = recordings.search(on: .spotify).artists(
                            named: search.query.artist + search.query.words)
                        write(&json, artists.count) { json in
                            for artist in artists.dropFirst(page.offset).prefix(page.limit) {
                                writer.writeArtist(&json, artist)
                            }
                        }
                    case "playlist":
                        // The first result is null, as for playlists of people who have left, which searches often
                        // return.
                        let playlists = [nil] + publicPlaylists(search.query.words, for: visit.person.id)
                        write(&json, playlists.count) { json in
                            for found in playlists.dropFirst(page.offset).prefix(page.limit) {
                                guard let (playlist, snapshot) = found else {
                                    json.null()
                                    continue
                                }
                                writer.writeSimplifiedPlaylist(&json, playlist, snapshot: snapshot)
                            }
                        }
                    default: write(&json, 0) { _ in }
                    }
                }
            }
        }
    }

    /// All people's public playlists whose names contain all words, each with its snapshot id.
    private func publicPlaylists(
        _ words: [String], for person: String
    ) -> [(playlist: SavedPlaylist, snapshot: String)?] {
        guard !words.isEmpty else { return [] }
        let all = [libraries.library(of: person)] + libraries.others(than: person)
        let found = all.flatMap { library in
            library.playlists.filter { playlist in
                playlist.owner == library.person && playlist.isPublic == true
                    && Set(SearchText.words(playlist.name)).isSuperset(of: words)
            }.map { (playlist: $0, snapshot: library.snapshot(of: $0)) }
        }
        return found.sorted { ($0.playlist.name, $0.playlist.id) < ($1.playlist.name, $1.playlist.id) }
    }

    private func releases(_ search: SpotifySearch, among entries: [Entry]) -> [Release] {
        if let upc = search.upc { return recordings.catalog.release(ofUPC: upc).map { [$0] } ?? [] }
        guard search.isrc == nil else { return [] }
        var known: Set<Release> = []
        return entries.map(\.release).filter { known.insert($0).inserted }
    }

    private func find(_ search: SpotifySearch) -> [Entry] {
        guard search.upc == nil else { return [] }
        guard let isrc = search.isrc else {
            return search.query.isEmpty ? [] : recordings.search(on: .spotify).entries(search.query)
        }
        return recordings.catalog.entries(withISRC: isrc, on: .spotify)
    }
}
