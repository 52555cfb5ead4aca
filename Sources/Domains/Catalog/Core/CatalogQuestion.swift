import Contracts
import Model

/// A question to a service about its catalog. The answer is stored for a while.
package enum CatalogQuestion: Sendable, Hashable {
    /// The hits of a search for one type.
    case search(CatalogQuery, CatalogType)
    /// A list of what a person listens to most.
    case top(CatalogTopPayload)
    case item(CatalogItemPayload)

    /// The question's key in the database.
    package var key: String {
        switch self {
        case .search(let query, let type):
            "search \(query.source.rawValue) \(type.rawValue) \(query.market) \(query.offset) \(query.folded)"
        case .top(let top): "top \(top.list.rawValue) \(top.range.rawValue)"
        case .item(let item):
            "item \(item.source.rawValue) \(item.type.rawValue) \(item.market) \(item.offset) \(item.id)"
        }
    }

    /// Whether the answer is for one person only: top lists, playlists, which may be private, and items of Apple Music
    /// while the person's country is unknown, since every country has its own ids.
    package var isPersonal: Bool {
        switch self {
        case .search: false
        case .top: true
        case .item(let item): item.type == .playlist || item.source == .appleMusic && item.market.isEmpty
        }
    }

    /// How long an answer is served.
    ///
    /// A service changes its catalog daily, and top lists once a day. A missing item may appear within minutes.
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
    /// The text sent to the service: as the person wrote it, with single spaces.
    package let text: String
    /// The text in the form in which searches are compared.
    package let folded: String
    /// The country whose catalog is searched; empty if it is unknown.
    package let market: String
    package let offset: Int

    /// The length of the longest text, in Unicode scalars.
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

    /// A further page of the search.
    package func page(at offset: Int) -> CatalogQuery? {
        CatalogQuery(text, of: source, market: market, offset: offset)
    }

    /// The payload of the job that searches.
    package func payload(for types: [CatalogType]) -> CatalogSearchPayload {
        CatalogSearchPayload(source: source, text: text, types: types, market: market, offset: offset)
    }
}
