import Identity
import Model
import Testing

@testable import Curation

@Suite("Songs that a person loves")
struct LovedSongTests {
    @Test("A loved song comes before one with no evidence, and after what is asked for", arguments: 0..<50)
    func positionOfALovedSong(seed: Int) {
        var loved = CurationSamples.song(1)
        loved.isLoved = true
        let asked = CurationSamples.song(2, artist: "Nils Frahm")
        let context = CurationContext(
            candidates: [CurationSamples.song(3), loved, asked], artists: [KnownArtist(name: "Nils Frahm", songs: 1)])
        let order = SongRanking(CurationSamples.request("Nils Frahm", seed: seed), context).ordered().map(\.reference)
        #expect(order == ["song-2", "song-1", "song-3"])
    }

    @Test("Being loved is a reason, and a loved song counts most in a blend")
    func reasonsOfALovedSong() throws {
        var loved = CurationSamples.song(1)
        loved.isLoved = true
        let context = CurationContext(candidates: [loved])
        let evidence = SongRanking(CurationSamples.request(), context).evidence(for: loved, now: .now())
        #expect(evidence.first == SongEvidence(.loved, "You have marked it as loved."))
        func side(_ songs: [CandidateSong]) -> BlendSide {
            BlendSide(
                songs: songs.map { BlendSide.Song($0, catalogIDs: [.spotify: $0.reference]) }, artists: [], services: []
            )
        }
        let pool = BlendPool(
            side([loved, CurationSamples.song(2, plays: 3)]), side([CurationSamples.song(3)]), rules: IdentityRules())
        let liking = pool.songs.map(\.liking.first)
        #expect(liking[0] == 1 && liking[0] >= liking[1] && liking[1] > liking[2])
    }
}
