import Catalog
import Foundation
import HTTPTypes
import HummingbirdTesting
import Library
import LibraryWriting
import Model
import Storage
import Testing

@testable import Gateway

/// What tests of shares do with people's libraries.
extension PeopleFixture {
    /// A song's id at Spotify.
    static let spotifyID = "4uLU6hMCjMI75M1A2tKUQC"

    /// Saves a track to a person's library at Spotify, and returns its id in the library.
    @discardableResult
    func saveTrack(
        _ title: String = "Eple", artist: String = "Röyksopp", id: String = spotifyID, of name: String
    ) async throws -> String {
        let userID = try self.id(of: name)
        try await gateway.database.write { transaction in
            let now = Timestamp.now()
            let library = try transaction.library.open(userID: userID, now: now)
            let scan = SourceScan(
                userID: userID, libraryID: library, sync: 1, source: .spotify,
                accountID: try transaction.library.account("account", of: .spotify, library: library, now: now))
            var track = SourceTrack(sourceID: id, title: title, artist: artist, album: "Melody A.M.")
            track.durationMs = 216_000
            _ = try transaction.tracks.storeSavedTracks([track], by: scan, isWhole: false, now: now)
        }
        let tracks = try await items("/v1/library/tracks", as: name)
        return try #require(tracks.first { $0["title"] as? String == title }?["id"] as? String)
    }

    /// Stores what Spotify says of a track.
    func storeTrack(_ title: String, id: String = spotifyID) async throws {
        var track = CatalogTrack(sourceID: id, title: title)
        track.artists = [CatalogReference(sourceID: "artist", name: "Röyksopp")]
        track.isrc = "NOBHR0100010"
        track.pictures = [CatalogPicture(address: "https://i.scdn.co/image/track", width: 640)]
        let answer = CatalogAnswer.item(CatalogItem(.track(track)))
        try await gateway.database.write { transaction in
            let payload = CatalogItemPayload(source: .spotify, type: .track, id: id, market: "", offset: 0)
            try transaction.catalog.store(answer, to: .item(payload), now: .now())
        }
    }

    /// A client's id with a number.
    static func clientID(_ number: Int) -> String {
        "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - "\(number)".count) + "\(number)"
    }

    func put(_ number: Int, _ body: String, as name: String) async throws -> TestResponse {
        try await send(.put, "/v1/shares/\(Self.clientID(number))", as: name, body: body)
    }

    /// Shares a track of a person's library, and returns the share's id.
    func share(_ number: Int = 1, _ title: String = "Eple", as name: String) async throws -> String {
        let track = try await saveTrack(title, of: name)
        let response = try await put(number, #"{"song":{"libraryTrackId":"\#(track)"}}"#, as: name)
        #expect(response.status == .created || response.status == .ok)
        return try #require(try response.jsonObject["id"] as? String)
    }
}

extension TestResponse {
    /// The body as a JSON object.
    var jsonObject: [String: Any] {
        get throws {
            try #require(try JSONSerialization.jsonObject(with: Data(body.readableBytesView)) as? [String: Any])
        }
    }
}
