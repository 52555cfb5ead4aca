import Foundation

extension AppleMusicSimulator {
    private static let searchTypes = [
        "activities", "albums", "apple-curators", "artists", "curators", "music-videos", "playlists", "record-labels",
        "songs", "stations",
    ]

    /// `GET /search`: one list for each type that has results. Songs, albums and artists are supported.
    func search(_ target: RequestTarget, _ documents: AppleMusicDocuments) throws(AppleMusicRefusal) -> Answer {
        guard let term = target["term"], !term.isEmpty else { throw .parameter("term", "Value must not be empty") }
        let types = target.list("types")
        guard !types.isEmpty else { throw .parameter("types", "Value must not be empty") }
        if let unknown = types.first(where: { !Self.searchTypes.contains($0) }) {
            throw .parameter("types", "\(unknown) is not a type of resources")
        }
        let page = try AppleMusicPage(target, usual: 5, most: 25)
        let words = SearchText.required(term)
        let songs = words.isEmpty ? [] : self.songs(with: words, in: documents.storefront)
        let escaped = (term.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
            .replacing("%20", with: "+")
        let path = "/v1/catalog/\(documents.storefront)/search?"
        var results = AppleMusicSearchDocument.Results()
        // The types that have results.
        var order: [String] = []
        for type in types where !order.contains(type) {
            /// The part of the type's results that the call requests; `nil` if there is none.
            func found<Item>(_ all: [Item], _ resource: (Item) -> AppleMusicResource) -> AppleMusicListDocument? {
                guard page.offset < all.count else { return nil }
                order.append(type)
                let next = page.offset + page.limit
                return AppleMusicListDocument(
                    href: path + "limit=\(page.limit)&term=\(escaped)&types=\(type)",
                    next: next < all.count ? path + "offset=\(next)&term=\(escaped)&types=\(type)" : nil,
                    data: page.part(of: all).map(resource))
            }
            switch type {
            case "songs": results.songs = found(songs) { documents.song($0) }
            case "albums":
                var known: Set<Release> = []
                let albums = songs.map(\.release).filter { known.insert($0).inserted }
                results.albums = found(albums) { documents.album($0, hasRelations: false) }
            case "artists":
                let artists = words.isEmpty ? [] : recordings.search(on: .apple).artists(named: words)
                results.artists = found(artists) { documents.artist($0, hasRelations: false) }
            default: break
            }
        }
        return Answer(
            contentType: Self.json,
            document: AppleMusicSearchDocument(
                results: results, meta: .init(results: .init(order: order, rawOrder: order))))
    }

    private func songs(with words: [String], in storefront: String) -> [Entry] {
        let catalog = recordings.catalog
        return recordings.search(on: .apple).entries(RecordingSearch.Query(words: words)).filter {
            catalog.isAvailable($0.recording, in: storefront)
        }
    }
}
