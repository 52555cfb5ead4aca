import Model
import Storage
import TestSupport
import Testing

@testable import Curation

@Suite("Putting lists together")
struct AssemblyTests {
    /// The finished list for a request with the given answer.
    private func finished(
        _ request: CurationRequest, _ context: CurationContext, answer: ModelAnswer? = nil, found: [SongMatch] = []
    ) async throws -> ListContent {
        try await withDatabase { database, _ in
            let id = UUIDv7.next()
            let stored = try await database.write { transaction in
                try transaction.curation.insert(id, request, title: "A", userID: "ada", cost: nil, now: .now())
                return try transaction.curation.list(id, userID: "ada")
            }
            var list = try #require(stored)
            (list.answer, list.found) = (answer, found)
            let run = CurationRun(
                id, userID: "ada", database: database, context: { _, _ in context },
                model: { throw CurationRun.NoModel("There is none.") }, catalog: { nil }, checkpoint: { _ in })
            return run.finished(list, SongRanking(request, context, plan: answer?.plan), context)
        }
    }

    @Test("A list for an artist with many songs has others as well, and is not cut down", arguments: [5, 8])
    func artistAsked(size: Int) async throws {
        let songs = (0..<40).map { CurationSamples.song($0, artist: $0 < 30 ? "The Only Band" : nil) }
        let request = CurationSamples.request("The Only Band", size: size)
        let tracks = try await finished(request, CurationContext(candidates: songs)).tracks
        #expect(tracks.count == size && tracks.filter { $0.artist == "The Only Band" }.count == size / 2)
    }

    @Test("A live take or a karaoke version that a model names is used only if it was asked for")
    func nonOriginalVersions() async throws {
        let names = ["Harbor (Live)", "Lantern (Karaoke Version)", "Meadow"]
        let found = names.enumerated().map { number, title in
            var song = SongMatch()
            (song.reference, song.title, song.artist) = ("spotify:\(number)", title, "Artist \(number)")
            return song
        }
        let answer = try #require(
            ModelAnswer(
                #"{"discoveries":["#
                    + names.enumerated().map { #"{"title":"\#($1)","artist":"Artist \#($0)"}"# }.joined(separator: ",")
                    + "]}"))
        for (prompt, expected) in [
            ("calm studio songs", ["Meadow"]), ("a night of live music", ["Harbor (Live)", "Meadow"]),
            ("karaoke with friends", ["Lantern (Karaoke Version)", "Meadow"]),
            ("karaoke, no live versions", ["Lantern (Karaoke Version)", "Meadow"]),
        ] {
            let request = CurationSamples.request(prompt, source: .discovery)
            let list = try await finished(request, CurationContext(candidates: []), answer: answer, found: found)
            #expect(list.tracks.map(\.title) == expected, "\(prompt)")
            #expect(list.dropped.count == 3 - expected.count)
        }
        var context = CurationContext(candidates: [])
        context.seeds = [CurationSamples.song(1, title: "Opening (Live)")]
        let list = try await finished(
            CurationSamples.request(source: .discovery), context, answer: answer, found: found)
        #expect(list.tracks.map(\.title) == ["Harbor (Live)", "Meadow"], "it is based on a live take")
    }

    @Test("A plan's requests that were not offered are reported, and songs it does not ask for are marked as filled")
    func requestsThatWereNotOffered() async throws {
        let songs = (0..<60).map { CurationSamples.song($0, genre: $0 < 10 ? "Jazz" : "Rock") }
        let request = CurationSamples.request("calm", size: 20)
        let context = CurationContext(candidates: songs)
        let jazz = try #require(
            ModelAnswer(planIn: #"{"genres":["Jazz","Polka"],"artists":[99]}"#, genres: ["Jazz"], artists: ["Ada"]))
        let list = try await finished(request, context, answer: jazz)
        #expect(list.dropped.map(\.said) == ["genre “Polka”", "artist 99"] && list.fallback == nil)
        #expect(list.tracks.count == 20 && list.tracks.filter { !$0.isFilled }.count == 10)
        let nothing = try #require(ModelAnswer(planIn: #"{"genres":["Polka"]}"#, genres: ["Jazz"], artists: []))
        let ruled = try await finished(request, context, answer: nothing)
        #expect(ruled.tracks.allSatisfy(\.isFilled) && ruled.fallback?.contains("could be used") == true)
    }
}
