import Identity
import Model
import TestSupport
import Testing

@Suite("The order in which a library arrives", .timeLimit(.minutes(5)))
struct ArrivalOrderTests {
    /// There are few names, artists, albums, durations and ISRCs, so that many source tracks are similar.
    private static func catalog(_ random: inout SeededRandom) -> [(source: MusicSource, track: SourceTrack)] {
        let titles = [
            "Lucky", "LUCKY", "Lucky - 2017 Remaster", "Lucky (Live)", "Lucky, Pt. 2", "Lucki", "幸運",
            "Lucky (feat. Thom)",
        ]
        let (artists, albums) = (
            ["Radiohead", "Radiohead & Thom"], ["OK Computer", "OK Computer (Deluxe)", "Best Of"]
        )
        return (0..<40).map { number in
            let source: MusicSource = number.isMultiple(of: 2) ? .appleMusic : .spotify
            var track = SourceTrack.made(
                "\(source.number)-\(number)", titles.randomElement(using: &random) ?? "",
                by: artists.randomElement(using: &random) ?? "", on: albums.randomElement(using: &random) ?? "")
            track.durationMs = [nil, 200_000, 201_900, 203_800, 212_000, 260_000].randomElement(using: &random) ?? nil
            track.isrc =
                [nil, nil, "GBAYE9700001", "GBAYE9700002", "GBAYE9700003"].randomElement(using: &random) ?? nil
            track.addedAt = TestLibrary.moment(Int64(number))
            return (source, track)
        }
    }

    /// Saves a catalog in pages of random sizes and in random order. Some source tracks have different values at
    /// first, and some are missing for a while.
    private static func arrive(
        _ catalog: [(source: MusicSource, track: SourceTrack)], in library: TestLibrary,
        _ random: inout SeededRandom
    ) async throws {
        var first = catalog
        for index in first.indices where Int.random(in: 0..<4, using: &random) == 0 {
            first[index].track.title = "Lucky"
            first[index].track.isrc = first[index].track.isrc.map { _ in "GBAYE9700002" }
        }
        for items in [first.shuffled(using: &random), catalog.shuffled(using: &random)] {
            var rest = items[...]
            while !rest.isEmpty {
                let page = rest.prefix(Int.random(in: 1...12, using: &random))
                rest = rest.dropFirst(page.count)
                for source in MusicSource.services {
                    let tracks = page.filter { $0.source == source }.map(\.track)
                    if !tracks.isEmpty { try await library.save(tracks, source) }
                }
                try await library.expectSound()
            }
            if Bool.random(using: &random) { try await library.remove(.spotify, limit: 7) }
        }
        for source in MusicSource.services {
            try await library.save(catalog.filter { $0.source == source }.map(\.track), source)
        }
    }

    @Test("Tracks do not depend on the order of arrival, and reading again changes nothing", arguments: 0..<6)
    func tracksInAnyOrderOfArrival(seed: Int) async throws {
        var random = SeededRandom(seed: UInt64(seed))
        let catalog = Self.catalog(&random)
        var states: [[String]] = []
        for _ in 0..<4 {
            try await withDatabase { database, _ in
                let library = try await TestLibrary.new(in: database)
                try await Self.arrive(catalog, in: library, &random)
                try await library.expectSound("seed \(seed)")
                states.append(try await library.identityState())
                let rows = try await library.rows()
                for source in MusicSource.services {
                    try await library.save(catalog.filter { $0.source == source }.map(\.track), source)
                }
                try await library.regroup()
                let after = try await library.rows()
                #expect(after == rows, "seed \(seed)")
            }
        }
        #expect(states.allSatisfy { $0 == states[0] }, "seed \(seed)")
    }
}
