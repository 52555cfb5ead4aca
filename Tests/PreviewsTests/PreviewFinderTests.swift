import Contracts
import Identity
import Testing

@testable import Previews

@Suite("Choosing a song's preview")
struct PreviewFinderTests {
    private func listed(
        _ title: String, _ artist: String, _ durationMs: Int?, album: String = "", url: String? = "url"
    ) -> StoreSong {
        StoreSong(
            IdentityRecord(title: title, artist: artist, album: album, durationMs: durationMs), previewURL: url)
    }

    private let airbag = PreviewQuestion(title: "Airbag", artist: "Radiohead", durationMs: 284_000)

    @Test("Artist, core of the title and duration have to agree")
    func requiredAgreement() {
        for song in [
            listed("Airbag", "Radiohead", 284_000), listed("AIRBAG (Remastered 2017)", "Radiohead", 287_000),
            listed("Airbag", "Radiohead, Another Band", 281_000),
        ] {
            #expect(PreviewFinder.choose(from: [song], for: airbag) == "url", "\(song)")
        }
        for song in [
            listed("Airbag", "Radiohead", 287_001), listed("Airbag", "Radiohead", nil),
            listed("Airbags", "Radiohead", 284_000), listed("Airbag", "Another Band", 284_000),
            listed("Airbag (Live)", "Radiohead", 284_000), listed("Airbag", "Radiohead", 284_000, url: nil),
            listed("Airbag (Karaoke Version)", "Radiohead", 284_000),
            listed("Airbag (In the Style of Radiohead)", "Karaoke Stars & Radiohead", 284_000),
            listed("Airbag", "Radiohead Tribute Band", 284_000),
            listed("Airbag", "Radiohead", 284_000, album: "A Karaoke Tribute to Radiohead"),
        ] {
            #expect(PreviewFinder.choose(from: [song], for: airbag) == nil, "\(song)")
        }
        var unknown = airbag
        unknown.durationMs = nil
        #expect(PreviewFinder.choose(from: [listed("Airbag", "Radiohead", nil)], for: unknown) == "url")
    }

    @Test("A search uses the words that every store writes")
    func wordsOfASearch() {
        for (title, artist, term) in [
            ("Airbag (Remastered 2017)", "Radiohead", "Radiohead Airbag"), ("A - Live", "B feat. C", "B A"),
            ("(I Can't Get No) Satisfaction", "The Band, D & E", "The Band (I Can't Get No) Satisfaction"),
        ] {
            #expect(PreviewFinder.term(of: PreviewQuestion(title: title, artist: artist)) == term)
        }
    }

    @Test("The closest duration is chosen; an id comes before a search, which follows if the id finds nothing")
    func choiceOfAPreview() async throws {
        let songs = [
            listed("Airbag (Karaoke Version)", "Radiohead", 284_000, url: "karaoke"),
            listed("Airbag", "Radiohead", 286_000, url: "far"), listed("Airbag", "Radiohead", 284_100, url: "near"),
        ]
        let finder = PreviewFinder(
            search: { term, country in
                #expect(term == "Radiohead Airbag" && country == "cz")
                return songs
            },
            lookup: { id, _ in id == "1" ? [listed("Airbag", "Radiohead", 284_000, url: "exact")] : [] })
        var question = airbag
        question.country = "cz"
        #expect(try await finder.preview(of: question) == "near")
        question.appleMusicID = "1"
        #expect(try await finder.preview(of: question) == "exact")
        question.appleMusicID = "2"
        #expect(try await finder.preview(of: question) == "near")
    }
}
