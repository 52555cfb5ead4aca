import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Library
import LibraryWriting
import Model
import NIOCore
import Storage
import Testing

@testable import Gateway

/// A person whose library was read from both services.
struct LibraryPerson: Sendable {
    let userID: String
    let headers: HTTPFields
    let library: Int64
    private let database: Database

    static let began = Timestamp(microseconds: 1_763_000_000_000_000)

    init(_ gateway: TestGateway, name: String = "ada") async throws {
        let token = try await gateway.addUser(name)
        let userID = try #require(try await Accounts(database: gateway.database).user(for: token)).id
        self.userID = userID
        headers = [.authorization: "Bearer \(token.secret.reveal())"]
        database = gateway.database
        library = try await gateway.database.write { try $0.library.open(userID: userID, now: Self.began) }
    }

    func scan(_ source: MusicSource) async throws -> SourceScan {
        let (userID, library) = (userID, library)
        return try await database.write { transaction in
            SourceScan(
                userID: userID, libraryID: library, sync: 1, source: source,
                accountID: try transaction.library.account("account", of: source, library: library, now: Self.began))
        }
    }

    func write<Value: Sendable>(_ body: @escaping @Sendable (WriteTransaction) throws -> Value) async throws -> Value {
        try await database.write { try body($0) }
    }

    /// Saves songs "Song 0", "Song 1", … and, at Spotify, a playlist and an album with some of them.
    func fill(apple: Range<Int> = 0..<6, spotify: Range<Int> = 4..<9) async throws {
        for (source, numbers) in [(MusicSource.appleMusic, apple), (.spotify, spotify)] {
            let scan = try await scan(source)
            let tracks = numbers.map { number in
                var track = SourceTrack(
                    sourceID: "\(source.rawValue)-\(number)", title: "Song \(number)", artist: "Björk & Friends",
                    album: "Début")
                track.trackNumber = number + 1
                track.durationMs = 1_000 * number
                track.addedAt = Self.began.advanced(by: .seconds(number))
                return track
            }
            try await database.write { transaction in
                _ = try transaction.tracks.storeSavedTracks(tracks, by: scan, isWhole: false, now: Self.began)
                guard source == .spotify else { return }
                var playlist = SourcePlaylist(sourceID: "p", name: "Mix")
                (playlist.ownerID, playlist.ownerName, playlist.isPublic) = ("me", "Ada", false)
                let toRead = try transaction.playlists.storePlaylists(
                    [playlist], by: scan, isWhole: false, now: Self.began
                )
                .toRead
                let entries: [SourcePlaylistEntry] = [
                    .init(position: 0, content: .track(tracks[0]), addedAt: Self.began),
                    .init(position: 1, content: .local(title: "A file"), addedAt: nil),
                    .init(position: 2, content: .track(tracks[1]), addedAt: nil),
                ]
                _ = try transaction.playlists.stageEntries(entries, of: toRead[0].id, by: scan, now: Self.began)
                _ = try transaction.playlists.showStagedEntries(of: toRead[0], by: scan, now: Self.began)
                let album = SourceAlbum(sourceID: "b", name: "Debut", artist: "Björk")
                _ = try transaction.albums.storeAlbums([album], by: scan, isWhole: false, now: Self.began)
            }
        }
    }
}

/// Reads a person's library.
struct LibraryClient {
    typealias Object = [String: Any]

    let client: any TestClientProtocol
    let headers: HTTPFields

    func get(_ path: String) async throws -> TestResponse {
        try await client.execute(uri: "/v1/library/" + path, method: .get, headers: headers)
    }

    func post(_ path: String, _ body: String? = nil) async throws -> TestResponse {
        try await client.execute(
            uri: "/v1/library/" + path, method: .post, headers: headers, body: body.map { ByteBuffer(string: $0) })
    }

    func patch(_ path: String, _ body: String) async throws -> TestResponse {
        try await client.execute(
            uri: "/v1/library/" + path, method: .patch, headers: headers, body: ByteBuffer(string: body))
    }

    func delete(_ path: String) async throws -> TestResponse {
        try await client.execute(uri: "/v1/library/" + path, method: .delete, headers: headers)
    }

    func object(_ path: String) async throws -> Object {
        let response = try await get(path)
        #expect(response.status == .ok, "\(path)")
        return try response.object
    }

    /// A member of every item of a list.
    func values<Value>(_ path: String, _ member: String = "title", in list: String = "items") async throws -> [Value] {
        let items = try #require(try await object(path)[list] as? [Object], "\(path)")
        return items.compactMap { $0[member] as? Value }
    }
}

extension TestResponse {
    var object: [String: Any] {
        get throws {
            try #require(
                try JSONSerialization.jsonObject(with: Data(body.readableBytesView)) as? [String: Any])
        }
    }
}
