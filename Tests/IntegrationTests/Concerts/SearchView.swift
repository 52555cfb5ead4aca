import Foundation

/// A concert search in the API.
struct SearchView: Decodable, Sendable, Equatable {
    struct Progress: Decodable, Sendable, Equatable {
        var done: Int
        var total: Int
    }

    struct Coverage: Decodable, Sendable, Equatable {
        var artist: String
        var rank: Int
        var status: String
    }

    struct Warning: Decodable, Sendable, Equatable {
        /// `nil` for a warning about the whole search.
        var artist: String?
        var code: String
        var message: String
        var recovery: String
    }

    /// `nil` for a fresh answer without a stored search.
    var id: String?
    var state: String
    var progress: Progress
    var coverage: [Coverage]
    var warnings: [Warning]
    /// Only in an answer with a page.
    var items: [ConcertView]?
    var nextCursor: String?

    var isRunning: Bool { state == "running" }

    /// The coverage of an artist; `nil` while its lookup runs.
    func status(of artist: String) -> String? {
        coverage.first { $0.artist == artist }?.status
    }
}

/// A show in a search's result.
struct ConcertView: Decodable, Sendable, Equatable {
    struct Extra: Decodable, Sendable, Equatable {
        var name: String
        var kind: String
        var ticketURL: String?
    }

    var id: String
    var name: String
    var artistName: String
    var artistRank: Int?
    var artistImageURL: String?
    var additionalArtists: [String]
    var venueName: String?
    var venueAddress: String?
    var city: String?
    var countryCode: String?
    var localDate: String?
    var localTime: String?
    var timeTBA: Bool
    var dateTBA: Bool
    var status: String
    var isHomeCity: Bool
    var priceRange: String?
    var ticketURL: String?
    var extras: [Extra]

    /// The order of a result: rank, date, time and id, unknown values last.
    static func isBefore(_ left: ConcertView, _ right: ConcertView) -> Bool {
        func key(_ show: ConcertView) -> (Int, String, String, String) {
            (show.artistRank ?? .max, show.localDate ?? "~", show.localTime ?? "~", show.id)
        }
        return key(left) < key(right)
    }
}

/// A person's ranked list.
struct ArtistListView: Decodable, Sendable, Equatable {
    struct Artist: Decodable, Sendable, Equatable {
        var id: String
        var name: String
        var rank: Int
        var imageURL: String?
    }

    var artists: [Artist]
    var capacity: Int

    var names: [String] { artists.map(\.name) }
}
