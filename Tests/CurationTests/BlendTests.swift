import Identity
import Model
import Storage
import TestSupport
import Testing

@testable import Curation

@Suite("Blends")
struct BlendTests {
    /// A library of songs. Those with numbers below `shared` are in every library.
    private func side(
        _ name: String, songs: Int, shared: Int, services: [MusicSource] = [.spotify], using random: inout SeededRandom
    ) -> BlendSide {
        let all = (0..<songs).map { number -> BlendSide.Song in
            var song = CurationSamples.song(
                number, artist: number < shared ? "Shared \(number)" : "\(name) \(number % 40)",
                title: number < shared ? "Both \(number)" : "\(name) song \(number)",
                genre: ["Jazz", "Rock", "Folk"][number % 3], plays: Int.random(in: 0...40, using: &random))
            song.reference = "\(name)-\(number)"
            return BlendSide.Song(song, catalogIDs: [.spotify: "\(name)\(number)"])
        }
        let artists = Dictionary(grouping: all, by: \.candidate.artist)
        return BlendSide(
            songs: all, artists: artists.map { KnownArtist(name: $0.key, songs: $0.value.count) }, services: services)
    }

    @Test("The order of a blend does not depend on who asks, and disadvantages nobody")
    func orderIsFair() {
        var random = SeededRandom(seed: 3)
        for round in 0..<10 {
            // One has ten times as much music as the other.
            let (one, other) = (
                side("Ada", songs: 400, shared: round * 3, using: &random),
                side("Bea", songs: 40, shared: round * 3, using: &random)
            )
            let pool = BlendPool(one, other, rules: IdentityRules())
            let order = Array(pool.fairOrder(seed: round).prefix(25))
            #expect(order.map(\.key) == pool.fairOrder(seed: round).prefix(25).map(\.key))
            let mirrored = BlendPool(other, one, rules: IdentityRules()).fairOrder(seed: round).prefix(25)
            #expect(mirrored.map(\.key) == order.map(\.key))
            let served = order.reduce(into: (0.0, 0.0)) {
                $0 = ($0.0 + $1.liking.first, $0.1 + $1.liking.second)
            }
            #expect(min(served.0, served.1) >= 0.8 * max(served.0, served.1), "\(served)")
            // A song that both have serves both at once.
            #expect(order.filter { $0.has == (true, true) }.count >= min(round * 3, 22))
        }
    }

    @Test("Two large libraries give the first songs of a blend with little work, and every song once")
    func largeLibraries() {
        var random = SeededRandom(seed: 7)
        let pool = BlendPool(
            side("Ada", songs: 3_000, shared: 50, using: &random),
            side("Bea", songs: 3_000, shared: 50, using: &random), rules: IdentityRules())
        var order = pool.fairOrder(seed: 1)
        var chosen: Set<String> = []
        while chosen.count < 100, let song = order.next() { #expect(chosen.insert(song.key).inserted) }
        #expect(chosen.count == 100)
        let small = BlendPool(
            side("Ada", songs: 30, shared: 5, using: &random), side("Bea", songs: 20, shared: 5, using: &random),
            rules: IdentityRules())
        #expect(Set(small.fairOrder(seed: 1).map(\.key)).count == small.songs.count)
    }

    @Test("A song that one of the two does not want is not in a blend, under whatever name they know it")
    func dismissedSongs() {
        var random = SeededRandom(seed: 5)
        var one = side("Ada", songs: 10, shared: 2, using: &random)
        let other = side("Bea", songs: 10, shared: 2, using: &random)
        one.dismissed = ["Ada-0", "spotify:Bea5", "Ada-7"]
        let titles = BlendPool(one, other, rules: IdentityRules()).songs.map(\.candidate.title)
        #expect(titles.count == 15)
        #expect(!titles.contains("Both 0") && !titles.contains("Bea song 5") && !titles.contains("Ada song 7"))
        // A song that is not in their library, as a list named it.
        one.dismissedSongs = [other.songs[6].candidate.record]
        let fewer = BlendPool(one, other, rules: IdentityRules()).songs.map(\.candidate.title)
        #expect(fewer.count == 14 && !fewer.contains(other.songs[6].candidate.title))
    }

    @Test("No artist has more than half of a blend")
    func shareOfAnArtist() async throws {
        try await BlendFixture.run { blends in
            try await blends.agree()
            let list = try await blends.begin()
            let run = BlendRun(
                list, partner: "bea", database: blends.database,
                side: { person, _ in
                    let songs = (0..<27).map { number -> BlendSide.Song in
                        var song = CurationSamples.song(
                            number, artist: number < 25 ? "The Only Band" : "\(person) \(number)",
                            title: number < 25 ? "Both \(number)" : "\(person) song \(number)", plays: 40 - number)
                        song.reference = "\(person)-\(number)"
                        return BlendSide.Song(song, catalogIDs: [.spotify: "\(person)\(number)"])
                    }
                    return BlendSide(songs: songs, artists: [], services: [.spotify])
                }, find: { _, _, _ in nil })
            let tracks = try await run.run().asker.tracks
            #expect(tracks.count == 8 && tracks.filter { $0.artist == "The Only Band" }.count == 4)
            // Whose song it is is stored without the name of the other person.
            #expect(tracks.allSatisfy { !$0.reason.contains("bea") })
            #expect(tracks.contains { $0.naming("bea").reason == "You and bea both have it." })
        }
    }

    @Test("A song that only one person has is identified for the other by their service, or looked up")
    func referencesToSongs() {
        var random = SeededRandom(seed: 4)
        let one = side("Ada", songs: 10, shared: 2, using: &random)
        let other = side("Bea", songs: 10, shared: 2, services: [.appleMusic], using: &random)
        let songs = BlendPool(one, other, rules: IdentityRules()).songs
        #expect(songs.count == 18)
        let shared = songs.filter { $0.has == (true, true) }
        #expect(Set(shared.map { $0.references.second ?? "" }) == ["Bea-0", "Bea-1"])
        let own = songs.filter { $0.has == (true, false) }
        #expect(own.allSatisfy { $0.references.first?.hasPrefix("Ada-") == true && $0.references.second == nil })
        let others = songs.filter { $0.has == (false, true) }
        #expect(others.allSatisfy { $0.references.first?.hasPrefix("spotify:Bea") == true })
    }
}
