import Concerts
import Gateway
import HTTPTypes
import Hummingbird
import Jobs
import Model
import Storage

/// `/v1/artists`: the person's ranked list.
struct ArtistRoutes {
    let database: Database
    let pictures: PicturePaths
    let topArtists: TopArtists
    let maximumBodyBytes: Int

    /// How many top artists a list begins with.
    private static let topCount = 10

    func add(to group: RouterGroup<GatewayContext>) {
        group.get("artists", use: show)
        group.put("artists", use: replace)
        group.post("artists", use: append)
        group.post("artists/reset", use: reset)
        group.delete("artists/:id", use: remove)
        group.post("artists/:id/move", use: move)
    }

    @Sendable private func show(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        return .cacheable(try await json(ofUser: userID), for: request)
    }

    @Sendable private func replace(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let body = try await request.json(limit: maximumBodyBytes)
        // Accepts the answer of GET, which has more members.
        guard let field = try body.object(["artists", "capacity", "isSaved"])["artists"] else {
            throw body.refuse("the field artists is missing.")
        }
        let additions = try ArtistRequest.additions(in: field, pictures: pictures)
        _ = try await change(context, by: field) { try $0.replace(with: additions) }
        return .json(.ok, try await json(ofUser: try context.userID))
    }

    @Sendable private func append(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let body = try await request.json(limit: maximumBodyBytes)
        let (addition, rank, field) = try ArtistRequest.addition(in: body, pictures: pictures)
        let id = UUIDv7.next()
        let list = try await change(context, by: field) { try $0.add(addition, id: id, at: rank) }
        guard let artist = list.artists.first(where: { $0.id == id }) else { throw Problem.notFound("artist") }
        let known = try await database.read { try Self.concertPictures(of: [artist], in: $0) }
        return .json(
            .created, JSONWriter.object { write(artist, known, to: &$0) },
            headers: [.location: "/v1/artists/\(id)"])
    }

    /// Replaces the list with the top artists at Spotify.
    @Sendable private func reset(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let bytes = try await request.bodyBytes(limit: maximumBodyBytes)
        let body = try RequestField.body(bytes.isEmpty ? Array("{}".utf8) : bytes)
        let fields = try body.object(["timeRange", "onlyIfNeverSaved"])
        let range = try fields["timeRange"].map { field in
            let text = try field.string(limit: 100)
            guard let range = TopRange(rawValue: text) else {
                throw field.refuse("\(TopRange.expectation), found '\(text.prefix(40))'.")
            }
            return range
        }
        let isForFirst = try fields["onlyIfNeverSaved"]?.bool() ?? false
        if isForFirst, try await database.read({ try $0.concerts.hasSavedArtists(userID: userID) }) {
            return .json(.ok, try await json(ofUser: userID))
        }
        let artists = try await topArtists(range ?? .short, userID)
        guard !artists.isEmpty else {
            // A person who opens the list for the first time has not asked for anything, so nothing has failed.
            guard isForFirst else { throw Problem.noTopArtists }
            return .json(.ok, try await json(ofUser: userID))
        }
        let additions = artists.map { artist in
            ArtistList.Addition(
                name: artist.name,
                spotify: SpotifyArtist(
                    id: artist.sourceID, picture: Picture(sizes: artist.pictures), genres: artist.genres))
        }
        try await database.write { transaction in
            // The person may have saved a list while Spotify answered.
            if isForFirst, try transaction.concerts.hasSavedArtists(userID: userID) { return }
            var list = try ArtistList(try transaction.concerts.rankedArtists(userID: userID))
            try list.reset(to: additions, count: Self.topCount)
            try transaction.concerts.replaceRankedArtists(list.artists, userID: userID)
            try ConcertWatching.artistsChanged(userID: userID, in: transaction)
        }
        return .json(.ok, try await json(ofUser: userID))
    }

    @Sendable private func remove(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let id = try context.parameters.require("id")
        _ = try await change(context, by: nil) { try $0.remove(id: id) }
        return Response(status: .noContent)
    }

    @Sendable private func move(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let id = try context.parameters.require("id")
        let body = try await request.json(limit: maximumBodyBytes)
        guard let target = try body.object(["to"])["to"] else { throw body.refuse("the field to is missing.") }
        let rank = try target.integer(in: 1...ArtistList.capacity)
        _ = try await change(context, by: target) { try $0.move(id: id, to: rank) }
        return .json(.ok, try await json(ofUser: try context.userID))
    }

    /// Changes the list in one transaction, so that simultaneous changes are all kept.
    ///
    /// - Parameter field: the field that the error names when the change is refused.
    private func change(
        _ context: GatewayContext, by field: RequestField?,
        _ body: @escaping @Sendable (inout ArtistList) throws -> Void
    ) async throws -> ArtistList {
        let userID = try context.userID
        do {
            return try await database.write { transaction in
                var list = try ArtistList(try transaction.concerts.rankedArtists(userID: userID))
                try body(&list)
                try transaction.concerts.replaceRankedArtists(list.artists, userID: userID)
                try ConcertWatching.artistsChanged(userID: userID, in: transaction)
                return list
            }
        } catch let error as ArtistListError {
            throw Problem(error, field: field?.path)
        }
    }

    private func json(ofUser userID: String) async throws -> [UInt8] {
        let (artists, isSaved, known) = try await database.read { reader in
            let artists = try reader.concerts.rankedArtists(userID: userID)
            return (
                artists, try reader.concerts.hasSavedArtists(userID: userID),
                try Self.concertPictures(of: artists, in: reader)
            )
        }
        return JSONWriter.object { json in
            json.member("artists") { json in
                json.array(artists) { json, artist in json.object { write(artist, known, to: &$0) } }
            }
            json.member("capacity", ArtistList.capacity)
            json.member("isSaved", isSaved)
        }
    }

    /// The pictures that lookups of concerts have found, by the artists' ids.
    private static func concertPictures(
        of artists: [RankedArtist], in reader: some SQLReader
    ) throws -> [String: String] {
        try artists.reduce(into: [:]) { $0[$1.id] = try ArtistPicture.url(of: $1, in: reader) }
    }

    private func write(_ artist: RankedArtist, _ known: [String: String], to json: inout JSONWriter) {
        json.member("id", artist.id)
        json.member("name", artist.name)
        json.member("rank", artist.rank)
        json.member("spotifyId", artist.spotify?.id)
        json.member("genres") { json in json.array(artist.spotify?.genres ?? []) { $0.value($1) } }
        json.member("imageURL", known[artist.id])
        json.member("picture", pictures.path(of: artist.spotify?.picture) ?? pictures.path(of: known[artist.id]))
    }
}

/// The artists that a person listens to most at Spotify, the best first. Throws a ``Problem``.
package typealias TopArtists = @Sendable (_ range: TopRange, _ userID: String) async throws -> [CatalogArtist]

extension Problem {
    init(_ error: ArtistListError, field: String?) {
        switch error {
        case .unknownArtist: self = .notFound("artist")
        case .listFull, .duplicateArtist: self = .conflict(code: ProblemCode(error), error.description)
        case .invalidPosition, .nameEmpty, .nameTooLong, .nameHasControlCharacter:
            self = .invalidRequest(code: ProblemCode(error), error.description, field: field)
        }
    }
}

extension Problem {
    fileprivate static let noTopArtists = recovering(
        .tellUser,
        .conflict(
            code: .noTopArtists,
            "Spotify has no top artists of yours for this time, so your list was not changed. "
                + "Search for artists, or choose a longer time."))
}

extension ProblemCode {
    init(_ error: ArtistListError) {
        self =
            switch error {
            case .listFull: .listFull
            case .duplicateArtist: .duplicateArtist
            case .unknownArtist: .notFound
            case .invalidPosition: .invalidPosition
            case .nameEmpty: .nameEmpty
            case .nameTooLong: .nameTooLong
            case .nameHasControlCharacter: .nameHasControlCharacter
            }
    }
}
