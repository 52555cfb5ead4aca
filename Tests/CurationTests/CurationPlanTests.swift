import Model
import Testing

@testable import Curation

@Suite("Plans from models")
struct CurationPlanTests {
    private func plan(_ text: String) -> CurationPlan? {
        ModelAnswer(planIn: text, genres: ["Hip-Hop/Rap", "Jazz"], artists: ["One", "Two"])?.plan
    }

    @Test("Only what was offered is read")
    func onlyOfferedNumbersAreRead() throws {
        let found = try #require(
            plan(
                #"{"genres":["jazz","hip hop rap","Polka",7],"artists":[2,"1",9,0],"from":1999,"to":1990,"order":"oldest"}"#
            ))
        #expect(found.genres == ["Jazz", "Hip-Hop/Rap"] && found.artists == ["Two", "One"])
        #expect(found.years == 1990...1999 && found.order == .oldest)
        #expect(plan(#"{"order":"upside down"}"#)?.order == .fitting)
        #expect(plan(#"{"from":99999999999}"#)?.years == 3_000...3_000)
        #expect(plan(#"{"from":1990}"#)?.years == 1_990...3_000 && plan(#"{"to":1990}"#)?.years == 1_000...1_990)
        #expect(plan(#"{"songs":[1]}"#) == nil && plan("none") == nil)
    }

    @Test("What was not offered is recorded without invisible characters, and truncated")
    func unofferedValues() throws {
        let long = String(repeating: "x", count: 300)
        let found = try #require(plan(#"{"genres":["Pol\u202eka","\#(long)",""],"artists":["No\u200bbody","",9]}"#))
        let cut = String(repeating: "x", count: 100)
        #expect(found.unknown == ["genre “Polka”", "genre “\(cut)”", "artist “Nobody”", "artist 9"])
        // An empty text is not a condition.
        let open = try #require(plan(#"{"genres":"","artists":"","order":"newest"}"#))
        #expect(open.unknown == nil && open.asks(for: CurationSamples.song(1)))
    }

    @Test("An artist whose name is a number is recognized if it is given as text")
    func numericNames() throws {
        func artists(_ text: String) -> [String]? {
            ModelAnswer(planIn: text, genres: [], artists: ["Ann", "311", "1975"])?.plan?.artists
        }
        #expect(artists(#"{"artists":["311","1975"]}"#) == ["311", "1975"])
        #expect(artists(##"{"artists":["1",2,"#3"]}"##) == ["Ann", "311", "1975"])
        #expect(artists(#"{"artists":[311]}"#) == [])
    }

    @Test("A plan's songs come first, in its order")
    func planComesFirst() throws {
        let songs = (0..<200).map { number in
            CurationSamples.song(
                number, artist: "Artist \(number / 3)", genre: number % 4 == 0 ? "Jazz" : "Rock",
                year: 1970 + number % 50,
                plays: number % 13)
        }
        let found = try #require(plan(#"{"genres":["Jazz"],"from":1980,"to":1989,"order":"newest"}"#))
        let request = CurationSamples.request("long", size: 60)
        let ranking = SongRanking(request, CurationContext(candidates: songs), plan: found)
        let first = ranking.varied(8)
        #expect(first.allSatisfy { $0.genres == ["Jazz"] && (1980...1989).contains($0.year ?? 0) })
        let arranged = found.arranged(first.map { ListRules.Choice(song: $0) })
        #expect(arranged.map { $0.song.year ?? 0 } == first.map { $0.year ?? 0 }.sorted(by: >))
    }
}
