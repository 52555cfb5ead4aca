import Foundation

@testable import ConcertsCommands

/// Shows and searches in the gateway's JSON.
enum SearchPages {
    /// One show; `changes` are members of its JSON.
    static func show(_ changes: [String: Any] = [:]) throws -> SearchShow {
        try JSONDecoder().decode(SearchShow.self, from: try JSONSerialization.data(withJSONObject: item(changes)))
    }

    static func item(_ changes: [String: Any] = [:]) -> [String: Any] {
        let standard: [String: Any] = [
            "id": "G5v0Z9", "name": "Imagine Dragons: World Tour", "artistName": "Imagine Dragons", "artistRank": 1,
            "artistImageURL": NSNull(), "additionalArtists": [String](), "venueName": "O2 arena",
            "venueAddress": NSNull(), "city": "Praha 9", "countryCode": "CZ", "localDate": "2026-11-20",
            "localTime": "20:00:00", "timeTBA": false, "dateTBA": false, "status": "onsale", "isHomeCity": false,
            "priceRange": NSNull(), "ticketURL": NSNull(), "extras": [Any](),
        ]
        return standard.merging(changes) { _, new in new }
    }

    static func status(
        id: String = "search", _ state: SearchStatus.State, done: Int = 1, total: Int = 1,
        coverage: [SearchStatus.Coverage] = [], warnings: [SearchStatus.Warning] = []
    ) -> SearchStatus {
        SearchStatus(
            id: id, state: state, progress: .init(done: done, total: total), coverage: coverage, warnings: warnings)
    }

    static func page(items: [[String: Any]], nextCursor: String?, more: [String: Any] = [:]) throws -> Data {
        let page: [String: Any] = [
            "id": "search", "state": "complete", "progress": ["done": 1, "total": 1], "coverage": [Any](),
            "warnings": [Any](), "items": items, "nextCursor": nextCursor ?? NSNull(),
        ]
        return try JSONSerialization.data(withJSONObject: page.merging(more) { _, new in new })
    }
}
