import Concerts
import Model
import Testing

@Suite("Matching attractions to an artist")
struct AttractionMatcherTests {
    private func attraction(
        _ id: String, _ name: String, aliases: [String] = [], spotify: [String] = [], musicBrainz: [String] = [],
        links: Int = 0, segment: String? = "Music", upcoming: Int? = nil
    ) -> ConcertAttraction {
        ConcertAttraction(
            id: id, name: name, aliases: aliases, segment: segment, spotifyIDs: spotify,
            musicBrainzIDs: musicBrainz, externalLinkCount: links, upcomingEventCount: upcoming)
    }

    /// The id of the best candidate, which must not depend on their order.
    private func choice(_ matcher: AttractionMatcher, _ candidates: ConcertAttraction...) -> String? {
        let forward = matcher.best(of: candidates)?.id
        #expect(matcher.best(of: candidates.reversed())?.id == forward)
        return forward
    }

    @Test("A tribute band is not the artist, however popular it is")
    func tributeBands() {
        #expect(
            choice(
                AttractionMatcher(name: "Pink Floyd"),
                attraction("tribute", "The Australian Pink Floyd Show", spotify: ["s"], links: 9, upcoming: 80),
                attraction("brit", "Brit Floyd", links: 9)) == nil)
        #expect(
            choice(
                AttractionMatcher(name: "abba"),
                attraction("tribute", "A Tribute to ABBA", links: 9, upcoming: 50),
                attraction("real", "ABBA")) == "real")
    }

    @Test("Each criterion decides only when the earlier ones tie")
    func orderOfCriteria() {
        let matcher = AttractionMatcher(name: "Nirvana", spotifyID: "right", musicBrainzID: "AB-CD")
        let plain = attraction("plain", "Nirvana", segment: nil)
        let upcoming = attraction("upcoming", "Nirvana", segment: nil, upcoming: 5)
        let music = attraction("music", "Nirvana")
        let links = attraction("links", "Nirvana", links: 3, segment: "Sports")
        let linked = attraction("linked", "Nirvana", musicBrainz: ["other", "ab-cd-no"], links: 1, segment: "Sports")
        let right = attraction("right", "Nirvana", spotify: ["right"], links: 1, segment: "Sports")
        let alias = attraction(
            "alias", "Nirvana UK", aliases: ["NIRVANA"], spotify: ["right"], links: 9, upcoming: 99)
        #expect(choice(matcher, plain, upcoming) == "upcoming")
        #expect(choice(matcher, upcoming, music) == "music")
        #expect(choice(matcher, music, links) == "links")
        #expect(choice(AttractionMatcher(name: "Nirvana"), links, linked) == "linked")
        #expect(choice(matcher, linked, right) == "right")
        // A link to another artist with that name counts against it.
        #expect(choice(matcher, linked, plain) == "plain")
        #expect(choice(matcher, alias, plain) == "plain")
        #expect(choice(matcher, alias) == "alias")
        #expect(choice(matcher, attraction("b", "Nirvana"), attraction("a", "Nirvana")) == "a")
    }

    @Test("A composer in the segment Arts & Theatre is found")
    func composersInAnotherSegment() {
        let matcher = AttractionMatcher(name: "Ludovico Einaudi")
        #expect(choice(matcher, attraction("e", "Ludovico Einaudi", segment: "Arts & Theatre")) == "e")
    }

    @Test("Aliases of the artist are accepted")
    func artistAliases() {
        let matcher = AttractionMatcher(name: "Prince", aliases: ["The Artist", ""])
        #expect(choice(matcher, attraction("a", "Artist")) == "a")
        #expect(choice(matcher, attraction("x", "   ")) == nil)
    }

    private func event(_ id: String, _ name: String, _ bill: (String, String)...) -> ConcertEvent {
        ConcertEvent(id: id, name: name, attractions: bill.map { .init(id: $0.0, name: $0.1) })
    }

    @Test("The artist's events are selected from a keyword search, and the id is learned")
    func keywordFindings() {
        let events = [
            event("own", "Air: Moon Safari", ("air", "AIR")),
            event("support", "Big Night", ("other", "Phoenix"), ("air", "AIR")),
            event("word", "Air Supply live", ("supply", "Air Supply")),
            event("bare", "Air"), event("bareOther", "Air Show 2027"),
            event("namesake", "Air", ("air2", "Air")),
        ]
        let attractions = [
            attraction("air", "AIR", spotify: ["s"], links: 4), attraction("supply", "Air Supply", links: 9),
            attraction("other", "Phoenix"), attraction("air2", "Air", upcoming: 90),
        ]
        let findings = AttractionMatcher(name: "Air").findings(events: events, attractions: attractions)
        #expect(findings.attraction?.id == "air")
        #expect(findings.events.map(\.id) == ["own", "support", "bare"])
    }

    @Test("Without an attraction only events without a bill are selected, by their full name")
    func nothingLearned() {
        let events = [event("a", "A Tribute to ABBA"), event("b", "Abba"), event("c", "ABBA", ("t", "ABBA Gold"))]
        let findings = AttractionMatcher(name: "ABBA").findings(
            events: events, attractions: [attraction("t", "ABBA Gold")])
        #expect(findings.attraction == nil)
        #expect(findings.events.map(\.id) == ["b"])
    }

    @Test(
        "An event without a bill is the artist's if the whole name is alone or before a separator",
        arguments: [
            ("Grey Heron", true), ("GREY HERON - Long Tour", true), ("The Grey Heron: Live", true),
            ("Grey Heron | 2027", true), ("Grey Heron (18+)", true), ("Grey Heron • Acoustic", true),
            ("Grey Heron – A Tribute to Nick Drake", true), ("Grey Heron Tribute Night", false),
            ("Grey Heron Museum: The Birds", false), ("A Tribute to Grey Heron - Live", false),
            ("Grey Heron-Smith", false), ("Grey Heron and Friends: Live", false), ("Grey Heron - Tribute", false),
            ("Grey Heron (A Tribute to Grey Heron)", false), ("Grey Heron: Hommage", false),
            ("Grey Heron - The Musical", false), ("Live: Grey Heron", false),
            ("Grey Heron @ Town Hall", true), ("Grey Heron – Long Tour @ Exhibition Hall", true),
            ("Grey Heron《巡演》", true), ("Grey Heron〈巡演〉", true), ("Grey Heron「ツアー」", true),
            ("Grey Heron Tribute @ Town Hall", false), ("Grey Heron - Tribute @ Town Hall", false),
            ("Town Hall @ Grey Heron", false), ("Grey Heron@Town Hall", false), ("Grey Heron Museum《展览》", false),
            ("Grey Heron - Cover by The Kelps", false), ("Grey Heron: performed by The Kelps", false),
            ("Grey Heron (covered by the Kelps)", false), ("Grey Heron - Cover Stories", true),
            ("Grey Heron: Long Songs, played by Grey Heron", true), ("Grey Heron - Undercover by Night", true),
        ])
    func billlessNames(name: String, isArtists: Bool) {
        let matcher = AttractionMatcher(name: "Grey Heron")
        #expect(matcher.findings(events: [event("e", name)], attractions: []).events.isEmpty != isArtists)
        var match = event("e", name)
        match.segment = "Sports"
        // In segments without concerts, only the whole name counts.
        #expect(matcher.findings(events: [match], attractions: []).events.isEmpty == (name != "Grey Heron"))
    }

    @Test("A name that contains a separator sign counts as a whole name")
    func signsInNames() {
        let matcher = AttractionMatcher(name: "AC/DC")
        let events = [event("1", "AC/DC - Power Up"), event("2", "AC / DC"), event("3", "AC - Power")]
        #expect(matcher.findings(events: events, attractions: []).events.map(\.id) == ["1", "2"])
    }
}
