import Model
import TestSupport
import Testing

@testable import Library
@testable import LibraryWriting

@Suite("Random histories of a library", .timeLimit(.minutes(5)))
struct LibraryHistoryTests {
    /// There are few titles, artists and ISRCs, so that many tracks match.
    private static func track(_ source: MusicSource, _ random: inout SeededRandom) -> SourceTrack {
        let number = Int.random(in: 0..<30, using: &random)
        let titles = ["Airbag", "AIRBAG", "Lucky", "Let Down", "Élan", "Lucky - 2017 Remaster", "Lucky (Live)"]
        let albums = ["OK Computer", "Live"]
        // The same track occasionally has a different title.
        let title = titles[(number + (Int.random(in: 0..<9, using: &random) == 0 ? 1 : 0)) % titles.count]
        var track = SourceTrack.made("\(source.number)-\(number)", title, on: albums[number % 2])
        track.isrc =
            number.isMultiple(of: 4) ? nil : "GBAYE97000\(10 + (number + Int.random(in: 0...1, using: &random)) % 12)"
        track.addedAt = number.isMultiple(of: 3) ? nil : TestLibrary.moment(Int64(number))
        track.durationMs = number.isMultiple(of: 7) ? nil : 200_000 + 1_900 * (number % 5)
        track.genres = number.isMultiple(of: 5) ? ["Rock"] : []
        track.playCount = source == .appleMusic ? number : nil
        return track
    }

    private static func page(_ source: MusicSource, _ random: inout SeededRandom) -> [SourceTrack] {
        (0..<Int.random(in: 0...12, using: &random)).map { _ in track(source, &random) }
    }

    @Test("Counts, tracks and texts match the source tracks after every step", arguments: 0..<4)
    func historiesOfChanges(seed: Int) async throws {
        try await withDatabase { database, _ in
            var random = SeededRandom(seed: UInt64(seed))
            let library = try await TestLibrary.new(in: database)
            let other = try await TestLibrary.new(in: database, name: "bob")
            try await other.save(Self.page(.spotify, &random), .spotify)
            for step in 0..<40 {
                let source = MusicSource.services.randomElement(using: &random) ?? .spotify
                let account = Bool.random(using: &random) ? "one" : "two"
                let page = Self.page(source, &random)
                let second = Int64(step)
                switch Int.random(in: 0..<12, using: &random) {
                case 0..<5:
                    try await library.save(page, source, account: account, at: second)
                    let rows = try await library.rows()
                    let again = try await library.save(page, source, account: account, at: second)
                    #expect(again.added == 0 && again.changed == 0, "seed \(seed), step \(step)")
                    let after = try await library.rows()
                    #expect(after == rows, "seed \(seed), step \(step)")
                case 5..<7:
                    try await library.readWhole(page, source, account: account, at: second)
                case 7..<9:
                    let entries = page.enumerated().map {
                        SourcePlaylistEntry(position: $0, content: .track($1), addedAt: nil)
                    }
                    let playlist = SourcePlaylist(sourceID: "p\(step % 3)", name: "Mix \(step % 4)")
                    try await library.read(playlist, entries, source, account: account, at: second)
                case 9:
                    try await library.decide(&random)
                case 10:
                    let areSame = Bool.random(using: &random)
                    try await database.write {
                        try $0.trackIdentity.setRemastersAreSame(areSame, userID: library.userID, now: .now())
                    }
                    try await library.regroup()
                default:
                    try await library.remove(source, limit: Int.random(in: 1...20, using: &random))
                }
                try await library.expectSound("seed \(seed), step \(step)")
            }
            try await other.expectSound()
        }
    }
}
