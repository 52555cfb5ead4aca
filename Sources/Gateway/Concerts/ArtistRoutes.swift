import Concerts
import HTTPTypes
import Hummingbird
import Jobs
import Model
import Storage

/// `/v1/artists`: the person's ranked list.
struct ArtistRoutes {
    let database: Database
    let pictures: PicturePaths
    let maximumBodyBytes: Int

    func add(to group: RouterGroup<GatewayContext>) {
        group.get("artists", use: show)
        group.put("artists", use: replace)
        group.post("artists", use: append)
        group.delete("artists/:id", use: remove)
        group.post("artists/:id/move", use: move)
    }

    @Sendable private func show(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let artists = try await database.read { try $0.concerts.rankedArtists(userID: userID) }
        return .cacheable(try await json(artists), for: request)
    }

    @Sendable private func replace(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let body = try await request.json(limit: maximumBodyBytes)
        // Accepts the answer of GET, which has the capacity.
        guard let field = try body.object(["artists", "capacity"])["artists"] else {
            throw body.refuse("the field artists is missing.")
        }
        let names = try ArtistRequest.names(in: field)
        let list = try await change(context, by: field) { try $0.replace(with: names) }
        return .json(.ok, try await json(list.artists))
    }

    @Sendable private func append(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let body = try await request.json(limit: maximumBodyBytes)
        let fields = try body.object(["name", "rank"])
        guard let nameField = fields["name"] else { throw body.refuse("the field name is missing.") }
        let name = try nameField.string(limit: ArtistName.maximumLength)
        let rank = try fields["rank"]?.integer(in: 1...ArtistList.capacity)
        let id = UUIDv7.next()
        let list = try await change(context, by: nameField) { try $0.add(name, id: id, at: rank) }
        guard let artist = list.artists.first(where: { $0.id == id }) else { throw Problem.notFound("artist") }
        let known = try await knownPictures(of: [artist])
        return .json(
            .created, JSONWriter.object { write(artist, known, to: &$0) },
            headers: [.location: "/v1/artists/\(id)"])
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
        let list = try await change(context, by: target) { try $0.move(id: id, to: rank) }
        return .json(.ok, try await json(list.artists))
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
                return list
            }
        } catch let error as ArtistListError {
            throw Problem(error, field: field?.path)
        }
    }

    private func json(_ artists: [RankedArtist]) async throws -> [UInt8] {
        let known = try await knownPictures(of: artists)
        return JSONWriter.object { json in
            json.member("artists") { json in
                json.array(artists) { json, artist in json.object { write(artist, known, to: &$0) } }
            }
            json.member("capacity", ArtistList.capacity)
        }
    }

    /// The addresses of known pictures by the artists' ids.
    private func knownPictures(of artists: [RankedArtist]) async throws -> [String: String] {
        try await database.read { reader in
            try artists.reduce(into: [:]) { $0[$1.id] = try ArtistPicture.url(ofArtist: $1.name, in: reader) }
        }
    }

    private func write(_ artist: RankedArtist, _ known: [String: String], to json: inout JSONWriter) {
        json.member("id", artist.id)
        json.member("name", artist.name)
        json.member("rank", artist.rank)
        json.member("imageURL", known[artist.id])
        json.member("picture", pictures.path(of: known[artist.id]))
    }
}

/// Artists in requests.
enum ArtistRequest {
    /// The names of an array of artists, each a name or an object as in the answer of the list. An object's rank, if
    /// present, must be its place in the array; its id is ignored, since names identify artists.
    static func names(in field: RequestField) throws -> [String] {
        try field.array(limit: ArtistList.capacity, of: "artists").enumerated().map { index, artist in
            switch artist.node.value {
            case .object:
                let fields = try artist.object(["id", "name", "rank", "imageURL", "picture"])
                guard let name = fields["name"] else { throw artist.refuse("the field name is missing.") }
                if let rank = fields["rank"], try rank.integer(in: 1...ArtistList.capacity) != index + 1 {
                    throw rank.refuse(
                        "the order of the artists gives their ranks, and this is number \(index + 1). "
                            + "Leave rank out, or put the artists into its order.")
                }
                return try name.string(limit: ArtistName.maximumLength)
            default:
                return try artist.string(limit: ArtistName.maximumLength)
            }
        }
    }
}

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
