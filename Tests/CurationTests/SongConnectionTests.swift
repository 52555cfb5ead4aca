import Model
import Testing

@testable import Curation

@Suite("What connects songs to those that a list is based on")
struct SongConnectionTests {
    @Test("An album connects less than a playlist or a session, but more than chance", arguments: 0..<50)
    func strengthOfConnections(seed: Int) {
        var (listed, onAlbum) = (CurationSamples.song(1), CurationSamples.song(2))
        (listed.sharedPlaylists, listed.connection) = (1, 0.4)
        (onAlbum.sharedAlbums, onAlbum.albumConnection) = (1, 1)
        let context = CurationContext(candidates: [CurationSamples.song(3), onAlbum, listed])
        let order = SongRanking(CurationSamples.request(seed: seed), context).ordered().map(\.reference)
        #expect(order == ["song-1", "song-2", "song-3"])
    }

    @Test("A shared album is a reason, after the artist and playlists and sessions")
    func orderOfReasons() {
        var song = CurationSamples.song(1)
        (song.sharedPlaylists, song.sharedAlbums) = (1, 2)
        let context = CurationContext(candidates: [song], seeds: [CurationSamples.song(2, artist: song.artist)])
        let found = SongRanking(CurationSamples.request(), context).evidence(for: song, now: .now())
        #expect(found.prefix(3).map(\.kind) == [.sharedArtist, .sharedPlaylists, .sharedAlbum])
        #expect(found[2].text == "It is on an album together with songs that this list is based on.")
        #expect(
            SongRanking(CurationSamples.request(), context).evidence(for: CurationSamples.song(3), now: .now())
                .contains { $0.kind == .sharedAlbum } == false)
    }
}
