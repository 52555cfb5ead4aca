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
        let documents = visit.documents(recordings.catalog)
        let escaped = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        var results = SpotifySearchDocument()
        for type in types {
            /// The page of the type's results.
            func found<Result, Item>(
                _ all: [Result], _ item: (Result) -> Item
            ) -> SpotifyPagingDocument<Item> {
                page.document(
                    page.part(of: all).map(item), total: all.count, url: visit.url,
                    query: "query=\(escaped)&type=\(type)")
            }
            switch type {
            case "track": results.tracks = found(entries) { documents.track($0) }
            case "album":
                results.albums = found(releases(search, among: entries)) { documents.simplifiedAlbum($0) }
            case "artist":
                let names = search.query.artist + search.query.words
                results.artists = found(recordings.search(on: .spotify).artists(named: names)) {
                    documents.artist($0)
                }
            case "playlist":
                // The first result is null, as for playlists of people who have left, which searches often return.
                let playlists = [nil] + publicPlaylists(search.query.words, for: visit.person.id)
                results.playlists = found(playlists) { found in
                    found.map { documents.simplifiedPlaylist($0.playlist, snapshot: $0.snapshot) }
                }
            case "show": results.shows = found([]) { $0 }
            case "episode": results.episodes = found([]) { $0 }
            default: results.audiobooks = found([]) { $0 }
            }
        }
        return Answer(document: results)
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
