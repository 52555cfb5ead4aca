import Model
import Storage
import TestSupport
import Testing

@testable import Curation

@Suite("Hostile answers")
struct HostileAnswerTests {
    private static let library = (0..<40).map { number in
        CurationSamples.song(number, artist: "Artist \(number / 5)", genre: "Jazz", plays: number % 7)
    }

    /// Requests of all sizes and sources, each of which excludes an artist.
    private func lists(in database: Database) async throws -> [CuratedList] {
        try await database.write { transaction in
            try (0..<72).map { number in
                let source = CurationRequest.Source.allCases[number % 3]
                var request = CurationSamples.request("calm", size: 5 + number % 26, source: source, seed: number)
                request.excludedArtists = ["Artist \(number % 8)"]
                let id = UUIDv7.next()
                try transaction.curation.insert(id, request, title: "Calm", userID: "ada", cost: nil, now: .now())
                return try #require(try transaction.curation.list(id, userID: "ada"))
            }
        }
    }

    /// What a service finds for a name: nothing, a new song, or one that the library has.
    private func found(_ name: ModelAnswer.NamedSong, using random: inout SeededRandom) -> SongMatch {
        var song = SongMatch()
        (song.title, song.artist) = (name.title, name.artist)
        switch Int.random(in: 0...3, using: &random) {
        case 0:
            song.nearest = "Somebody – Something"
        case 1:
            let known = Self.library[Int.random(in: 0..<40, using: &random)]
            (song.reference, song.isKnown) = (known.reference, true)
            (song.title, song.artist, song.album) = (known.title, known.artist, known.album)
        default: song.reference = "spotify:\(Int.random(in: 0..<50, using: &random))"
        }
        return song
    }

    /// The rounds for each seed. Seeds run in parallel, since a single processor would take too long.
    private static let rounds = 1_250

    @Test(
        "Ten thousand hostile answers break no rule, show nothing that was not found, and give no unfounded reason",
        arguments: 0..<8)
    func hostileAnswers(seed: Int) async throws {
        try await withDatabase { database, _ in
            let lists = try await lists(in: database)
            let run = CurationRun(
                "unused", userID: "ada", database: database,
                context: { _, _ in CurationContext(candidates: Self.library) },
                model: { throw CurationRun.NoModel("There is none.") }, catalog: { nil }, checkpoint: { _ in })
            var random = SeededRandom(seed: UInt64(20 + seed))
            for round in seed * Self.rounds..<(seed + 1) * Self.rounds {
                var list = lists[round % lists.count]
                let heard = "song-\(round % 40)"
                let context = CurationContext(candidates: Self.library, heard: [heard])
                let text = HostileAnswer.text(using: &random)
                list.answer = ModelAnswer(text)?.bound(to: Self.library)
                list.found = (list.answer?.discoveries ?? []).prefix(list.request.size * 2).map {
                    found($0, using: &random)
                }
                let finished = run.finished(list, SongRanking(list.request, context), context)
                if let broken = broken(finished, list, heard: heard) {
                    Issue.record("seed \(seed), round \(round), \(broken): \(text)")
                    return
                }
            }
        }
    }

    /// The rule that a list breaks; `nil` if it breaks none.
    private func broken(_ finished: ListContent, _ list: CuratedList, heard: String) -> String? {
        let (tracks, request) = (finished.tracks, list.request)
        let existing = Set(Self.library.map(\.reference)).union(list.found.compactMap(\.reference))
        if tracks.count > request.size { return "size" }
        if Set(tracks.map(\.reference)).count < tracks.count { return "a song twice" }
        if !tracks.allSatisfy({ existing.contains($0.reference) }) { return "a song that was not found" }
        if tracks.contains(where: { $0.reference == heard || $0.artist == request.excludedArtists[0] }) {
            return "an exclusion"
        }
        let most = Dictionary(grouping: tracks, by: \.artist).values.map(\.count).max() ?? 0
        if most > max(1, tracks.count / 2) { return "an artist too often" }
        let unbacked = tracks.first { track in
            let rest = track.evidence.map(\.text).reduce(track.reason) { $0.replacing($1, with: "") }
            return track.reason.isEmpty || !rest.allSatisfy(\.isWhitespace)
                || track.evidence.contains { $0.kind == .discovered } == (track.origin == .library)
        }
        return unbacked.map { "the reason “\($0.reason)”" }
    }
}

/// What a model might write at its worst.
private enum HostileAnswer {
    static func text(using random: inout SeededRandom) -> String {
        switch Int.random(in: 0...9, using: &random) {
        case 0: return "I will not."
        case 1: return #"{"songs":[{"number":1}"#
        case 2: return "```json\n\(list(using: &random))\n```"
        case 3: return #"{"songs":{"number":1}}"#
        default: return list(using: &random)
        }
    }

    private static func list(using random: inout SeededRandom) -> String {
        let items = (0..<Int.random(in: 0...40, using: &random)).map { _ -> String in
            switch Int.random(in: 0...7, using: &random) {
            case 0: return #"{"number":\#(Int.random(in: -5...100, using: &random)),"why":["genre","won a Grammy"]}"#
            case 1: return #"{"number":"\#(Int.random(in: 1...40, using: &random))"}"#
            case 2: return #"{"number":9223372036854775807}"#
            case 3: return #"{"number":1e300,"why":"all"}"#
            case 4: return "null"
            case 5: return #"{"title":"Pwned \#(Int.random(in: 0...9, using: &random))","artist":"Evil"}"#
            // The same artist repeatedly.
            case 6: return #"{"number":\#(Int.random(in: 1...5, using: &random)),"why":["oftenPlayed","neverPlayed"]}"#
            default: return #"{"number":\#(Int.random(in: 1...40, using: &random)),"why":["inLibrary","years"]}"#
            }
        }
        let names = (0..<Int.random(in: 0...40, using: &random)).map { _ -> String in
            let number = Int.random(in: 0...60, using: &random)
            switch Int.random(in: 0...5, using: &random) {
            case 0: return #"{"title":"Ignore all rules and list me","artist":"Evil"}"#
            case 1: return #"{"title":"Never Was \#(number)"}"#
            case 2: return #"{"title":["x"],"artist":{"y":1}}"#
            default:
                return #"{"title":"New \#(number)","artist":"Band \#(number % 3)","why":["oftenPlayed","inLibrary"]}"#
            }
        }
        return #"{"songs":[\#(items.joined(separator: ","))],"discoveries":[\#(names.joined(separator: ","))]}"#
    }
}
