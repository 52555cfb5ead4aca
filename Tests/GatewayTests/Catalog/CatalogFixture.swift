import Catalog
import Contracts
import Jobs
import Library
import LibraryWriting
import Connections
import Model
import Storage
import TestSupport

@testable import CatalogHTTP
@testable import CatalogWorker
@testable import Gateway
@testable import Workers

/// A gateway with a worker whose Spotify answers as a test determines, and people with connections to it.
struct CatalogFixture: Sendable {
    let database: Database
    let service: CatalogService
    /// The questions to Spotify, as `person: question`.
    let calls: Collector<String>

    /// - Parameters:
    ///   - answer: runs before Spotify answers, or throws its failure.
    static func run(
        answer: @escaping @Sendable (_ call: String) async throws -> Void = { _ in },
        _ body: (CatalogFixture) async throws -> Void
    ) async throws {
        try await withDatabase { database, _ in
            database.register(.catalog)
            let calls = Collector<String>()
            @Sendable func ask(_ question: String, _ person: String) async throws {
                let name: String? = try await database.read { reader in
                    try reader.row("SELECT name FROM users WHERE id = \(person)")?["name"]
                }
                calls.append("\(name ?? "?"): \(question)")
                try await answer("\(name ?? "?"): \(question)")
            }
            let fetch = CatalogFetch(
                calls: CatalogCalls(
                    search: { search, person in
                        let types = search.types.map(\.rawValue).joined(separator: ",")
                        try await ask("\(types) \(search.text) \(search.offset)", person)
                        return Dictionary(
                            uniqueKeysWithValues: search.types.map { ($0, .sample($0, search.text, search.offset)) })
                    },
                    top: { top, person in
                        try await ask("top \(top.list.rawValue) \(top.range.rawValue)", person)
                        return .sample(top.list == .artists ? .artist : .track, top.range.rawValue)
                    },
                    item: { item, person in
                        try await ask("\(item.type.rawValue) \(item.id)", person)
                        if item.id.hasPrefix("x") { return .missing }
                        return .item(CatalogItem(.playlist(CatalogPlaylist(sourceID: item.id, name: "Of \(person)"))))
                    },
                    account: { source, person in
                        try await database.read {
                            try $0.connections.record(userID: person, provider: source.provider?.rawValue ?? "")?
                                .consentMark
                        }
                    }))
            let handlers = [
                JobHandler.catalogSearch(fetch), .catalogTop(fetch), .catalogItem(fetch),
            ]
            try await WorkerEnd.run(database: database, handlers: handlers) { worker in
                let service = CatalogService(queue: worker.queue, spotifyClientID: nil)
                try await body(CatalogFixture(database: database, service: service, calls: calls))
            }
        }
    }

    /// A person who has connected Spotify.
    func person(_ name: String, scopes: String = "user-top-read") async throws -> String {
        let id = try await database.addPerson(name)
        try await connect(id, scopes: scopes)
        return id
    }

    func connect(_ userID: String, scopes: String = "user-top-read", country: String? = nil) async throws {
        try await database.connectSpotify(userID: userID, scopes: scopes, country: country)
    }

    /// The titles of the tracks that a search finds.
    func titles(_ text: String, for userID: String, screen: ScreenID? = nil) async throws -> [String] {
        guard
            case .tracks(let page) = try await service.search(
                CatalogText(text), types: [.track], offset: 0, userID: userID, screen: screen)[.track]
        else { return [] }
        return page.items.map(\.title)
    }

    /// Moves the times of all answers back.
    func age(by age: Duration) async throws {
        let microseconds = age.components.seconds * 1_000_000
        try await database.write { transaction in
            for table in ["catalog_answers", "catalog_personal_answers"] as [StaticString] {
                try transaction.run(
                    """
                    UPDATE \(trusted: table) SET fetched_at = fetched_at - \(microseconds),
                        expires_at = expires_at - \(microseconds)
                    """)
            }
        }
    }

    /// The number of jobs that were made.
    var jobCount: Int {
        get async throws {
            try await database.read { try $0.row("SELECT COUNT(*) AS count FROM jobs")?["count"] ?? 0 }
        }
    }
}

extension Database {
    /// Stores a connection to Spotify without tokens.
    func connectSpotify(userID: String, scopes: String, country: String? = nil) async throws {
        try await write { transaction in
            try transaction.connections.handle(.accepted, userID: userID, provider: .spotify, now: .now()) { record in
                record.scopes = scopes
                record.authorizedAt = .now()
                record.details = country.map { #"{"country":"\#($0)"}"# }
            }
        }
    }
}

extension Database {
    /// Stores a connection to Apple Music without keys, and, as a sync does, the country of the account.
    func connectAppleMusic(userID: String, country: String?) async throws {
        try await write { transaction in
            try transaction.connections.handle(.accepted, userID: userID, provider: .appleMusic, now: .now()) {
                $0.authorizedAt = .now()
            }
            guard let country else { return }
            let library = try transaction.library.open(userID: userID, now: .now())
            try transaction.run(
                """
                INSERT INTO library_sources (library_id, source, storefront)
                VALUES (\(library), \(MusicSource.appleMusic.number), \(country))
                """)
        }
    }
}

extension CatalogAnswer {
    /// One hit of a type, with the given name.
    static func sample(_ type: CatalogType, _ name: String, _ offset: Int = 0) -> CatalogAnswer {
        func page<Item>(_ item: Item) -> SourcePage<Item> {
            SourcePage(items: [item], entryCount: 10, total: 25, nextOffset: offset < 20 ? offset + 10 : nil)
        }
        let id = "id-\(offset)"
        switch type {
        case .track:
            var track = CatalogTrack(sourceID: id, title: name)
            track.artists = [
                CatalogReference(sourceID: "artist-1", name: "Air"), CatalogReference(sourceID: nil, name: "Moby"),
            ]
            track.album = CatalogReference(sourceID: "album-1", name: "Moon Safari")
            track.pictures = [CatalogPicture(address: "https://i.scdn.co/image/track", width: 640)]
            return .tracks(page(track))
        case .album: return .albums(page(CatalogAlbum(sourceID: id, name: name)))
        case .artist:
            var artist = CatalogArtist(sourceID: String(repeating: "A", count: 22), name: name)
            artist.genres = ["ambient"]
            artist.pictures = [CatalogPicture(address: "https://i.scdn.co/image/artist", width: 640)]
            return .artists(page(artist))
        case .playlist: return .playlists(page(CatalogPlaylist(sourceID: id, name: name)))
        }
    }
}
