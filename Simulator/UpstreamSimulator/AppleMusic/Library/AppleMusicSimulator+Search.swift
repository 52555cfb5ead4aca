import Foundation

extension AppleMusicSimulator {
    private static let searchTypes = [
        "activities", "albums", "apple-curators", "artists", "curators", "music-videos", "playlists", "record-labels",
        "songs", "stations",
    ]

    /// `GET /search`: one list for each type that has results. Songs, albums and artists are supported.
    func search(_ target: RequestTarget, _ writer: AppleMusicWriter) throws(AppleMusicRefusal) -> Answer {
        guard let term = target["term"], !term.isEmpty else { throw .parameter("term", "Value must not be empty") }
        let types = target.list("types")
        guard !types.isEmpty else { throw .parameter("types", "Value must not be empty") }
        if let unknown = types.first(where: { !Self.searchTypes.contains($0) }) {
            throw .parameter("types", "\(unknown) is not a type of resources")
        }
        let page = try AppleMusicPage(target, usual: 5, most: 25)
        let words = SearchText.required(term)
        let songs = words.isEmpty ? [] : self.songs(with: words, in: writer.storefront)
        var results = Results(page: page, term: term, storefront: writer.storefront)
        for type in types where !results.order.contains(type) {
            switch type {
            case "songs": results.add(type, songs) { json, entry in writer.writeSong(&json, entry) }
            case "albums":
                var known: Set<Release> = []
                let albums = songs.map(\.release).filter { known.insert($0).inserted }
                results.add(type, albums) { json, release in
                    writer.writeAlbum(&json, release, hasRelations: false)
                }
            case "artists":
                let artists = words.isEmpty ? [] : recordings.search(on: .apple).artists(named: words)
                results.add(type, artists) { json, artist in
                    writer.writeArtist(&json, artist, hasRelations: false)
                }
            default: break
            }
        }
        return Answer(status: 200, contentType: Self.json, body: results.document)
    }

    private func songs(with words: [String], in storefront: String) -> [Entry] {
        let catalog = recordings.catalog
        return recordings.search(on: .apple).entries(RecordingSearch.Query(words: words)).filter {
            catalog.isAvailable($0.recording, in: storefront)
        }
    }

    /// The lists of a search's answer.
    private struct Results {
        let page: AppleMusicPage
        let term: String
        let storefront: String
        /// The types that have results.
        private(set) var order: [String] = []
        private var lists = JSONWriter()

        init(page: AppleMusicPage, term: String, storefront: String) {
            self.page = page
            self.term = term
            self.storefront = storefront
        }

        mutating func add<Item>(_ type: String, _ items: [Item], _ write: (inout JSONWriter, Item) -> Void) {
            guard page.offset < items.count else { return }
            order.append(type)
            let page = page
            let escaped = (term.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
                .replacing("%20", with: "+")
            let path = "/v1/catalog/\(storefront)/search?"
            lists.object(type) { json in
                json.string("href", path + "limit=\(page.limit)&term=\(escaped)&types=\(type)")
                if page.offset + page.limit < items.count {
                    json.string("next", path + "offset=\(page.offset + page.limit)&term=\(escaped)&types=\(type)")
                }
                json.array("data") { json in
                    for item in items.dropFirst(page.offset).prefix(page.limit) { write(&json, item) }
                }
            }
        }

        var document: String {
            var json = JSONWriter()
            json.object { json in
                json.raw("results", "{" + lists.text + "}")
                json.object("meta") { json in
                    json.object("results") { json in
                        for name in ["order", "rawOrder"] {
                            json.array(name) { json in
                                for type in order { json.string(nil, type) }
                            }
                        }
                    }
                }
            }
            return json.text
        }
    }
}
