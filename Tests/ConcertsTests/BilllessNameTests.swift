import Testing

@testable import Concerts

@Suite("Events without a bill")
struct BilllessNameTests {
    private func isArtists(_ name: String, _ artist: String = "Nora Vale") -> Bool {
        BilllessName(name, segment: "Music").isArtists([FoldedName(artist)])
    }

    @Test(
        "An artist's whole name before a separator, guests or the title of a tour makes it the artist's",
        arguments: [
            "Nora Vale -Tour", "Nora Vale- Tour", "Nora Vale –Tour", "Nora Vale -- Tour", "Nora Vale + Special Guests",
            "Nora Vale feat. Ada Kern", "Nora Vale with Ada Kern", "Nora Vale, live", "Nora Vale \"Low Water\" Tour",
            "Nora Vale “Low Water” Tour", "Nora Vale «Low Water»", "Nora Vale ★ Tour", "Nora Vale *SOLD OUT*",
            "Nora Vale: The Musical Journey", "Nora Vale - Hold On Tour", "Nora Vale: A Tribute to Ada Kern",
        ])
    func artistsEvents(name: String) {
        #expect(isArtists(name))
    }

    @Test(
        "Something else about the artist is not the artist's concert",
        arguments: [
            "Nora Vale: Tribut", "Nora Vale - Hołd", "Nora Vale – трибьют", "Nora Vale - トリビュート", "Nora Vale: 致敬",
            "Nora Vale – Revival Band", "Nora Vale - gespielt von den Lampen", "Nora Vale - Das Rockmusical",
            "Nora Vale: A Musical in Two Acts", "Nora Vale - Documentary", "Nora Vale - Film Screening",
            "Nora Vale - Listening Party", "Nora Vale - Candlelight Concert", "Nora Vale Tribute with Ada Kern",
            "Nora Valentine -Tour",
        ])
    func otherEvents(name: String) {
        #expect(!isArtists(name))
    }

    @Test("Commas, plus signs and words that are part of another name do not end a name")
    func otherNames() {
        #expect(!isArtists("Orson, The Painter", "Orson"))
        #expect(!isArtists("Earth, Wind & Rain - Tour", "Earth"))
        #expect(!isArtists("Fern + the Engine", "Fern"))
        #expect(!isArtists("Sleeping with Lanterns", "Sleeping"))
        #expect(isArtists("Orson, The Painter: Low", "Orson, The Painter"))
        #expect(isArtists("Fern + the Engine - Tour", "Fern and the Engine"))
    }
}
