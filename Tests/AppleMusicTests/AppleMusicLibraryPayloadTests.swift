import Foundation
import Model
import TestSupport
import Testing
import Upstream

@testable import AppleMusic

@Suite(
    "Recorded libraries of Apple Music",
    .enabled(if: RecordedPayloads.apple.areAvailable, Comment(rawValue: RecordedPayloads.missing)))
struct AppleMusicLibraryPayloadTests {
    private func client(_ name: String, _ status: Int = 200) throws -> AppleMusicClient {
        let upstream = ScriptedUpstream(.json(try RecordedPayloads.apple.data(name), status))
        return AppleMusicClient(
            developerToken: { Secret("signed") }, userToken: Secret("user"), send: upstream.send)
    }

    @Test("The songs in Apple's documentation are read, with a next page of another list")
    func documentedSongs() async throws {
        let page = try await client("library_songs_doc_example.json").librarySongs(
            offset: 0, storefront: "us", looksUpISRCs: false)
        #expect(page.total == 100 && page.entryCount == 3 && page.nextOffset == 3)
        #expect(page.items.map(\.title) == ["Efecto", "Entropy", "Get U"])
        #expect(page.items.map(\.catalogID) == ["1622045954", "1613600188", "1605983206"])
        let first = try #require(page.items.first)
        #expect(first.artist == "Bad Bunny" && first.releaseDate?.text == "2022-05-06" && first.isrc == nil)
        #expect(first.artworkURL?.hasSuffix("{w}x{h}bb.jpg") == true)
    }

    @Test("A song of the catalog provides its ISRC")
    func catalogSong() async throws {
        let whole = try #require(
            try RecordedPayloads.apple.json("catalog_search_song_with_isrc.json") as? [String: [String: Any]])
        let songs = try #require(whole["results"]?["songs"])
        let upstream = ScriptedUpstream(.json(try JSONSerialization.data(withJSONObject: songs)))
        let client = AppleMusicClient(
            developerToken: { Secret("signed") }, userToken: Secret("user"), send: upstream.send)
        var track = SourceTrack(sourceID: "i.1", title: "Hollow", artist: "UNLOGIX", album: "")
        track.catalogID = "1674847288"
        let found = try await client.lookingUpISRCs(of: [track], storefront: "us")
        #expect(found.first?.isrc == "FRX452040925" && found.first?.durationMs == 283_618)
    }

    @Test("An expired user token is refused")
    func refusedUserToken() async throws {
        let client = try client("error_403_music_user_token.json", 403)
        await #expect(throws: AppleMusicError.userTokenRefused) { try await client.libraryAlbums(offset: 0) }
    }
}
