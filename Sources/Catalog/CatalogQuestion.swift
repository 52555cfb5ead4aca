import Contracts
import Model

/// A question to a service about its catalog, whose answer is stored for a while.
package enum CatalogQuestion: Sendable, Hashable {
    /// One type of a search's hits.
    case search(CatalogQuery, CatalogType)
    /// What a person listens to most.
    case top(CatalogTopPayload)
    case item(CatalogItemPayload)

    /// Its key in the database.
    package var key: String {
        switch self {
        case .search(let query, let type):
            "search \(query.source.rawValue) \(type.rawValue) \(query.market) \(query.offset) \(query.folded)"
        case .top(let top): "top \(top.list.rawValue) \(top.range.rawValue)"
        case .item(let item):
            "item \(item.source.rawValue) \(item.type.rawValue) \(item.market) \(item.offset) \(item.id)"
        }
    }

    /// Whether the answer is for one person alone: top lists, playlists, which may be private, and items of Apple Music
    /// while the person's country is not known, since every country has ids of its own.
    package var isPersonal: Bool {
        switch self {
        case .search: false
        case .top: true
        case .item(let item): item.type == .playlist || item.source == .appleMusic && item.market.isEmpty
        }
    }

    /// How long an answer is served.
    ///
    /// A service changes its catalog by the day, and top lists once a day. That an item is missing may be a matter of
    /// minutes.
    package func lifetime(of answer: CatalogAnswer) -> Duration {
        if case .missing = answer { return .seconds(300) }
        return switch self {
        case .search: .seconds(300)
        case .top: .seconds(3_600)
        case .item(let item): item.type == .playlist ? .seconds(300) : .seconds(86_400)
        }
    }
}

/// A search of a service's catalog.
package struct CatalogQuery: Sendable, Hashable {
    package let source: MusicSource
    /// What the service is asked for: as the person wrote it, with single spaces.
    package let text: String
    /// The text in the form in which searches are equal.
    package let folded: String
    /// The country whose catalog is searched; empty where it is unknown.
    package let market: String
    package let offset: Int

    /// The longest text, in Unicode scalars.
    package static let maximumLength = 200

    /// - Returns: `nil` for a text without anything to search for, such as an apostrophe.
    package init?(_ text: String, of source: MusicSource, market: String, offset: Int = 0) {
        let words = text.split { $0.isWhitespace }.joined(separator: " ")
        folded = Self.folded(words)
        guard !folded.isEmpty else { return nil }
        self.text = words
        self.source = source
        self.market = market
        self.offset = offset
    }

    private static func folded(_ text: String) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: FoldedText.scalars(of: text).filter { $0.value >= 0x20 && $0.value != 0x7F })
        return FoldedText.composed(String(view).split { $0.isWhitespace }.joined(separator: " "))
    }

    /// Further pages of the search.
    package func page(at offset: Int) -> CatalogQuery? {
        CatalogQuery(text, of: source, market: market, offset: offset)
    }

    /// What a job is to ask for.
    package func payload(for types: [CatalogType]) -> CatalogSearchPayload {
        CatalogSearchPayload(source: source, text: text, types: types, market: market, offset: offset)
    }
}
