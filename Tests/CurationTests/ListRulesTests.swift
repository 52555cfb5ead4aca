import Identity
import Model
import TestSupport
import Testing

@testable import Curation

@Suite("Rules for lists")
struct ListRulesTests {
    private func rules(
        _ change: (inout CurationRequest) -> Void = { _ in }, context: CurationContext = CurationContext(candidates: [])
    ) -> ListRules {
        var request = CurationSamples.request(size: 6)
        change(&request)
        return ListRules(request, context)
    }

    private func choice(_ song: CandidateSong) -> ListRules.Choice {
        ListRules.Choice(song: song, said: song.title)
    }

    @Test("A song is in a list only once, whatever its id and edition")
    func songsAreUnique() {
        var rules = rules()
        var again = CurationSamples.song(1)
        var taken = [rules.add(choice(again)), rules.add(choice(again))]
        again.reference = "spotify:1"
        again.title += " (Remastered 2011)"
        taken.append(rules.add(choice(again)))
        again.title = CurationSamples.song(1).title + " (Live)"
        taken.append(rules.add(choice(again)))
        #expect(taken == [true, false, false, true], "a live take is another song")
        // Another recording under the same title, half as long.
        again.title = CurationSamples.song(1).title
        (again.reference, again.durationMs) = ("spotify:2", again.durationMs.map { $0 / 2 })
        let isTaken = rules.add(choice(again))
        #expect(!isTaken, "two rows that look the same")
        #expect(
            rules.dropped.map(\.why) == [
                "It was named twice.", "It is the same song as another one in the list.",
                "The list has another recording of this song.",
            ])
    }

    @Test("A list has no more songs than requested, and no artist has more than half of it")
    func sizesOfLists() {
        var rules = rules()
        for number in 0..<20 {
            rules.add(choice(CurationSamples.song(number, artist: number % 2 == 0 ? "One & Two" : "One", minutes: 3)))
        }
        #expect(rules.choices.count == 3)
        for number in 20..<40 { rules.add(choice(CurationSamples.song(number))) }
        #expect(rules.choices.count == 6)
        #expect(rules.isFull)
    }

    @Test("From a list that stays short, the last songs of an artist are removed")
    func trimmingAShortList() {
        var rules = rules { $0.size = 10 }
        for number in 0..<5 { rules.add(choice(CurationSamples.song(number, artist: "One"))) }
        rules.add(choice(CurationSamples.song(7)))
        rules.trimArtists()
        #expect(rules.choices.map(\.song.artist).filter { $0 == "One" }.count <= rules.choices.count / 2)
    }

    @Test("Songs that are excluded, were heard or are already there stay out")
    func excludedSongs() {
        var context = CurationContext(candidates: [], heard: ["song-4"], present: ["song-5"])
        context.dismissed = ["song-9"]
        context.dismissedSongs = [CurationSamples.song(12).record]
        context.excluded = ["song-10"]
        context.heardElsewhere = [IdentityRecord(title: CurationSamples.song(11).title, artist: "Artist Birch 11")]
        var rules = rules(
            { request in
                request.excludedTracks = ["song-1"]
                request.excludedArtists = ["the NASTY ones"]
            }, context: context)
        for number in 1...6 { rules.add(choice(CurationSamples.song(number))) }
        rules.add(choice(CurationSamples.song(7, artist: "The Nasty Ones")))
        rules.add(choice(CurationSamples.song(8, artist: "Nice feat. Nasty Ones")))
        for number in 9...12 { rules.add(choice(CurationSamples.song(number))) }
        #expect(rules.choices.map(\.song.reference) == ["song-2", "song-3", "song-6"])
        #expect(
            rules.dropped.map(\.why) == [
                "You excluded this song.", "You have heard it lately.", "The list is based on it.",
                "You excluded its artist.", "You excluded its artist.", "You have said that it is not for you.",
                "You excluded this song.", "You have heard it lately.", "You have said that it is not for you.",
            ])
    }

    @Test("A heard song does not bar one by another artist whose name contains the first one's name")
    func heardNamesakes() {
        var context = CurationContext(candidates: [])
        context.heardElsewhere = [
            IdentityRecord(title: "Rain", artist: "Reif"), IdentityRecord(title: "Harbor", artist: "Reif"),
        ]
        var rules = rules(context: context)
        let taken = [
            rules.add(choice(CurationSamples.song(1, artist: "Otto Reif", title: "Rain"))),
            rules.add(choice(CurationSamples.song(2, artist: "Reif", title: "Harbor"))),
        ]
        #expect(taken == [true, false])
        #expect(rules.dropped.map(\.why) == ["You have heard it lately."])
    }

    @Test("An artist whom a prompt does not want is not in the list, not even as a guest")
    func unwantedArtist() {
        var rules = rules { $0.prompt = "calm, no Nasty Ones please" }
        rules.add(choice(CurationSamples.song(1, artist: "Nasty Ones")))
        rules.add(choice(CurationSamples.song(2, artist: "Nice feat. Nasty Ones")))
        rules.add(choice(CurationSamples.song(3, artist: "Nice")))
        #expect(rules.choices.map(\.song.reference) == ["song-3"])
    }

    @Test("The length is met to within five minutes", arguments: [5, 20, 45, 60, 180])
    func lengthInMinutes(wanted: Int) {
        var rules = rules { request in
            request.size = 100
            request.minutes = wanted
        }
        for number in 0..<200 where !rules.isFull {
            rules.add(choice(CurationSamples.song(number, minutes: 2.5 + Double(number % 9))))
        }
        let length = rules.choices.reduce(0) { $0 + ($1.song.durationMs ?? 0) }
        #expect(abs(length - wanted * 60_000) <= 5 * 60_000)
    }

    @Test("Reasons are made only from evidence")
    func reasonsFromEvidence() {
        let context = CurationContext(candidates: [CurationSamples.song(1, genre: "Jazz", year: 1997, plays: 12)])
        let ranking = SongRanking(CurationSamples.request("90s jazz"), context)
        let evidence = ranking.evidence(for: context.candidates[0], now: .now())
        #expect(evidence.reason(named: [.neverPlayed, .years]) == "It is from 1997.")
        #expect(evidence.reason(named: []) == "Its genre is Jazz. It is from 1997.")
        #expect(evidence.reason(named: [.artistAsked]) == "Its genre is Jazz. It is from 1997.")
    }

    @Test("Without a model the same seed gives the same songs, and requested songs come first")
    func rankingWithoutAModel() {
        let songs = (0..<300).map { number in
            CurationSamples.song(
                number, artist: "Artist \(number / 6)", genre: number % 3 == 0 ? "Jazz" : "Metal",
                year: 1970 + number % 50,
                plays: number)
        }
        let context = CurationContext(candidates: songs)
        let one = SongRanking(CurationSamples.request("80s jazz", seed: 7), context).varied(20)
        #expect(one == SongRanking(CurationSamples.request("80s jazz", seed: 7), context).varied(20))
        #expect(one != SongRanking(CurationSamples.request("80s jazz", seed: 8), context).varied(20))
        #expect(one.prefix(8).allSatisfy { $0.genres == ["Jazz"] && (1980...1989).contains($0.year ?? 0) })
        #expect(Set(one.map(\.artist)).count >= 12)
    }
}
