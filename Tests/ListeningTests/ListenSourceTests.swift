import Testing

@testable import Listening

@Suite("Sources of listens")
struct ListenSourceTests {
    @Test("The names are those of the API, and never change")
    func namesOfSources() {
        let names = ListenSource.allCases.map(\.rawValue)
        #expect(
            names == [
                "listenBrainz", "spotifyRecent", "spotifyHistory", "spotifyAccountData", "listenBrainzFile", "lastfm",
                "appleMusicActivity", "otherFile",
            ])
    }
}
