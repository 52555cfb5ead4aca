import Concerts
import Gateway
import Hummingbird
import Model

/// The body of `POST /v1/concert-searches`.
struct ConcertSearchRequest: Sendable {
    /// `nil` searches for the person's list.
    var artists: [RankedArtist]?
    /// `nil` uses the city of the person's profile.
    var homeCity: String?

    /// - Throws: a ``Problem`` that names the wrong field.
    init(_ body: RequestField, cityNames: CityNames, pictures: PicturePaths) throws {
        let fields = try body.object(["artists", "homeCity"])
        artists = try fields["artists"].map { field in
            let additions = try ArtistRequest.additions(in: field, pictures: pictures)
            guard !additions.isEmpty else {
                throw field.refuse("the list is empty; name an artist, or leave the field out to search for your list.")
            }
            do {
                var list = ArtistList()
                try list.replace(with: additions)
                return list.artists
            } catch let error as ArtistListError {
                throw Problem.invalidRequest(code: ProblemCode(error), "\(field.path): \(error)", field: field.path)
            }
        }
        homeCity = try fields["homeCity"].map { field in
            let city = try field.string(limit: 200)
            guard HomeCity(city, names: cityNames) != nil else {
                throw field.refuse("'\(city)' is not the name of a city; leave the field out for none.")
            }
            return city
        }
    }
}

/// A page of a search's shows: `?include=&city=&cursor=&limit=`.
struct ShowPageRequest: Sendable {
    var filter: ShowFilter
    var cursor: ConcertPage.Position?
    var limit: Int

    /// - Throws: a ``Problem`` that names the wrong parameter.
    init(_ request: Request, filter: ShowFilter) throws {
        self.filter = filter
        cursor = try request.cursor(of: ConcertLists.shows)
        limit = try request.pageLimit(standard: 50, maximum: 200)
    }

    /// - Throws: a ``Problem`` that names the wrong parameter.
    init(_ request: Request, cityNames: CityNames) throws {
        try self.init(request, filter: ShowFilter(request, cityNames: cityNames))
    }
}

/// The area of `GET /v1/concerts/nearby`: `?city=&radius=`.
struct NearbyRequest: Sendable {
    /// The city as the person wrote it.
    var city: String
    var cityKey: String
    /// Kilometers.
    var radius: Int

    /// - Throws: a ``Problem`` that names the wrong parameter.
    init(_ request: Request, cityNames: CityNames) throws {
        guard let city = request.parameter("city"), let key = cityNames.key(for: city),
            city.unicodeScalars.count <= 200
        else {
            throw Problem.invalidRequest(
                code: .invalidParameter, "city: name a city in at most 200 characters, such as ?city=Prague.",
                field: "city")
        }
        self.city = city
        cityKey = key
        radius = try request.integer("radius", in: ConcertSearches.radiusRange) ?? ConcertSearches.standardRadius
    }
}

extension ShowFilter {
    /// `?include=&city=`
    ///
    /// - Throws: a ``Problem`` that names the wrong parameter.
    init(_ request: Request, cityNames: CityNames) throws {
        let city = try request.parameter("city").map { text in
            // Scalars, as in the API document: one grapheme cluster may have any number of combining marks.
            guard text.unicodeScalars.count <= 200, let city = HomeCity(text, names: cityNames) else {
                throw Problem.invalidRequest(
                    code: .invalidParameter,
                    "city: '\(text.prefix(40))' is not the name of a city; leave it out for all shows.", field: "city")
            }
            return city
        }
        self.init(includesCancelled: try Self.includesCancelled(request), city: city)
    }

    /// `?include=` of a list in which the city is not a filter.
    ///
    /// - Throws: a ``Problem`` that names the wrong parameter.
    init(ofNearby request: Request) throws {
        self.init(includesCancelled: try Self.includesCancelled(request))
    }

    private static func includesCancelled(_ request: Request) throws -> Bool {
        switch request.parameter("include") {
        case nil: return false
        case "cancelled": return true
        case let other?:
            throw Problem.invalidRequest(
                code: .invalidParameter, "include: expected 'cancelled', found '\(other.prefix(40))'.",
                field: "include")
        }
    }
}
