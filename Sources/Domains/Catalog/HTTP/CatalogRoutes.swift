import Catalog
import Contracts
import Gateway
import Hummingbird
import Jobs
import Model
import Storage

/// `/v1/search`, `/v1/catalog`, and the searches and top lists of `/v1/artists` and `/v1/tracks`.
struct CatalogRoutes {
    let service: CatalogService
    let librarySearch: LibrarySearch
    let pictures: PicturePaths

    private var database: Database { service.queue.database }

    func add(to group: RouterGroup<GatewayContext>) {
        let asking = group.askingUpstreams
        asking.get("search", use: search)
        asking.get("artists/search", use: searchArtists)
        asking.get("artists/top", use: topArtists)
        asking.get("tracks/top", use: topTracks)
        asking.get("catalog/:source/:type/:id", use: item)
    }

    // MARK: Searches

    @Sendable private func search(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let text = try CatalogText(request)
        let types = try request.catalogTypes()
        let screen = try request.screenID()
        if let cursor = try request.cursor(of: CatalogCursors.search) {
            return try await page(of: text, cursor, for: request, userID: userID, screen: screen)
        }
        async let library = librarySearch(text.text, types, userID)
        var (found, problem): ([CatalogType: CatalogAnswer], Problem?) = ([:], nil)
        do {
            found = try await service.search(text, types: types, offset: 0, userID: userID, screen: screen)
        } catch let trouble as Problem where trouble.code != .superseded {
            // The person's own library can be searched without Spotify.
            problem = trouble
        }
        let (hits, answers, trouble) = (try await library, found, problem)
        let writer = try await writer(for: Array(answers.values), userID: userID)
        let body = JSONWriter.object { json in
            json.member("library") { json in json.object { hits(&$0) } }
            for type in types {
                guard let answer = answers[type] else { continue }
                json.member(type.section) { json in
                    json.object { writer.writeMembers(of: answer, type: type, to: &$0) }
                }
            }
            json.member("problem", raw: trouble.map { String(decoding: $0.document, as: UTF8.self) })
        }
        return .cacheable(body, for: request)
    }

    /// A further page of one type's hits.
    private func page(
        of text: CatalogText, _ cursor: Cursor<String, Int>, for request: Request, userID: String, screen: ScreenID?
    ) async throws -> Response {
        let (name, offset) = cursor.values
        guard let type = CatalogType(rawValue: name), CatalogCursors.offsets.contains(offset) else {
            throw Problem.invalidCursor
        }
        let answers = try await service.search(text, types: [type], offset: offset, userID: userID, screen: screen)
        let writer = try await writer(for: Array(answers.values), userID: userID)
        let body = JSONWriter.object { json in
            guard let answer = answers[type] else { return }
            json.member(type.section) { json in
                json.object { writer.writeMembers(of: answer, type: type, to: &$0) }
            }
        }
        return .cacheable(body, for: request)
    }

    @Sendable private func searchArtists(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let text = try CatalogText(request)
        let screen = try request.screenID()
        var offset = 0
        if let cursor = try request.cursor(of: CatalogCursors.search) {
            guard cursor.values.0 == CatalogType.artist.rawValue, CatalogCursors.offsets.contains(cursor.values.1)
            else { throw Problem.invalidCursor }
            offset = cursor.values.1
        }
        let answers = try await service.search(text, types: [.artist], offset: offset, userID: userID, screen: screen)
        let writer = try await writer(for: Array(answers.values), userID: userID)
        let body = JSONWriter.object { json in
            if let answer = answers[.artist] { writer.writeMembers(of: answer, type: .artist, to: &json) }
        }
        return .cacheable(body, for: request)
    }

    // MARK: Top lists

    @Sendable private func topArtists(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let artists = try await service.topArtists(try request.topRange(), userID: userID)
        let writer = try await writer(for: [.artists(SourcePage(whole: artists))], userID: userID)
        return .cacheable(writer.list(artists), for: request)
    }

    @Sendable private func topTracks(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let tracks = try await service.topTracks(try request.topRange(), userID: userID)
        let writer = try await writer(for: [.tracks(SourcePage(whole: tracks))], userID: userID)
        return .cacheable(writer.list(tracks), for: request)
    }

    // MARK: Single items

    @Sendable private func item(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let source = try context.musicSource
        guard let type = CatalogType(rawValue: try context.parameters.require("type")) else {
            throw Problem(
                .notFound, code: .notFound, title: "Not found",
                detail: "A catalog has no such type: its types are "
                    + "\(CatalogType.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        let id = try context.parameters.require("id")
        guard source.isID(id, of: type) else { throw Problem.notInCatalog(type, of: source) }
        let offset = try request.cursor(of: CatalogCursors.item)?.values ?? 0
        guard offset == 0 || CatalogCursors.offsets.contains(offset) else { throw Problem.invalidCursor }
        guard let item = try await service.item(type, of: source, id: id, offset: 0, userID: userID),
            let subject = item.subject
        else { throw Problem.notInCatalog(type, of: source) }
        var page = item
        if offset > 0 {
            guard let further = try await service.item(type, of: source, id: id, offset: offset, userID: userID)
            else { throw Problem.notInCatalog(type, of: source) }
            page = further
        }
        let writer = try await writer(for: [.item(item), .item(page)], of: source, userID: userID)
        return .cacheable(writer.document(subject, page: page), for: request)
    }

    private func writer(
        for answers: [CatalogAnswer], of source: MusicSource = .spotify, userID: String
    ) async throws -> CatalogWriter {
        let links = try await database.read { try CatalogLinks(to: answers, of: source, userID: userID, in: $0) }
        return CatalogWriter(source: source, links: links, pictures: pictures)
    }
}

/// Finds the first few hits of each type in a person's own library.
///
/// - Returns: writes the members of the answer that list the hits.
package typealias LibrarySearch =
    @Sendable (_ text: String, _ types: [CatalogType], _ userID: String) async throws ->
    @Sendable (inout JSONWriter) ->
    Void

extension CatalogType {
    /// The member of an answer that has the hits of this type.
    fileprivate var section: StaticString {
        switch self {
        case .track: "tracks"
        case .album: "albums"
        case .artist: "artists"
        case .playlist: "playlists"
        }
    }
}

extension SourcePage {
    /// A list in one page.
    fileprivate init(whole items: [Item]) {
        self.init(items: items, entryCount: items.count, total: items.count, nextOffset: nil)
    }
}

extension MusicSource {
    /// Whether a text has the form of the service's ids, so that it is worth asking the service.
    fileprivate func isID(_ text: String, of type: CatalogType) -> Bool {
        switch self {
        case .spotify: text.isSpotifyID
        case .appleMusic: type == .playlist ? text.isApplePlaylistID : text.isAppleCatalogID
        case .file: false
        }
    }
}

extension String {
    /// Whether it consists of ASCII digits. The longest ids that Apple has assigned so far have ten.
    fileprivate var isAppleCatalogID: Bool {
        (1...20).contains(utf8.count) && utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Whether it is `pl.` followed by ASCII letters, digits and `-`. Ids of people's public playlists begin with
    /// `pl.u-`.
    fileprivate var isApplePlaylistID: Bool {
        let rest = dropFirst(3)
        return hasPrefix("pl.") && (1...64).contains(rest.utf8.count)
            && rest.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    }
}

extension Problem {
    fileprivate static func notInCatalog(_ type: CatalogType, of source: MusicSource) -> Problem {
        Problem(
            .notFound, code: .notFound, title: "Not found",
            detail: "\(source.displayName) has no \(type.rawValue) with this id, or does not show it to you.")
    }
}
