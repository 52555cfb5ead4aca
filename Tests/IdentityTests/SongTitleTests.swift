import Testing

@testable import Identity

@Suite("Titles and artists, taken apart")
struct SongTitleTests {
    @Test(
        "The core is the name of the song alone",
        arguments: [
            ("Rain (feat. Ada Stone) [Lumen Remix] [Radio Edit]", "rain"), ("Rain - Live at Oslo", "rain"),
            ("(I Can't Get) Rain", "icantgetrain"), ("Hello (Turn It On) Again", "helloturnitonagain"),
            ("Pearl, Pt. II", "pearl"), ("(Interlude)", "interlude"), ("Live", "live"), ("Long Live", "longlive"),
            ("...", "..."), ("Rain (Album Version (Edited)) [Clean]", "rain"), ("Rain (with Ada Stone)", "rain"),
            ("Rain feat. Ada, Otto & Mira (Lumen Remix)", "rain"), ("【Rain】", "rain"), ("Remix", "remix"),
            ("Rain (Feat. Ada; Continuous Mix Version)", "rain"), ("Déjà-vu", "dejavu"),
        ])
    func core(title: String, expected: String) {
        #expect(SongTitle(title).core.letters == expected)
    }

    @Test(
        "Versions are told by brackets, dashes and words",
        arguments: [
            ("Rain (Live)", SongVersion.Kinds.live), ("Rain - Live From Oslo", .live), ("Rain (The Way I Live)", []),
            ("Rain (Lumen Remix)", .remix), ("Rain (Lumen's Harbor Mix)", .remix), ("Rain (Original Mix)", []),
            ("Rain (Extended Mix)", .extended), ("Rain (Radio Edit)", .edit), ("Rain (Lumen Edit)", .remix),
            ("Rain (Lumen Radio Remix)", [.remix, .edit]), ("Rain - Remastered 2011", .remaster),
            ("Rain (2011 Remastered Version)", .remaster), ("Rain (Sax Instrumental Version)", .instrumental),
            ("Rain Karaoke Version", .karaoke), ("Rain (Made Famous by Ada)", .karaoke),
            ("Rain (Unplugged)", [.live, .acoustic]),
            ("Rain (Main Version)", []), ("Rain (Bonus Video)", .video), ("Rain (en vivo)", .live), ("雨 (ライブ)", .live),
            ("Rain (A Cappella)", .aCappella), ("Rain (Demo)", .demo), ("Rain Remix", .remix),
        ] as [(String, SongVersion.Kinds)])
    func kinds(title: String, expected: SongVersion.Kinds) {
        #expect(SongTitle(title).version.kinds == expected)
    }

    @Test("Remixers, parts, languages and wording are read")
    func details() {
        #expect(SongTitle("Rain (Lumen & Tessera Remix)").version.remixers == "lumentessera")
        #expect(SongTitle("Rain, Pts. 1-5").version.part == "1-5")
        #expect(SongTitle("Rain (Part Two)").version.part == "2")
        #expect(
            SongTitle("Rain (Versión en Español)").version.language
                == SongTitle("Rain (Spanish Version)").version.language)
        #expect(SongTitle("Rain (Spanish Version)").version.language != nil)
        #expect(SongTitle("Rain (Explicit Album Version)").version.wording == .explicit)
        #expect(SongTitle("Rain (Amended Bonus Version)").version.wording == .clean)
        #expect(SongTitle("Rain (feat. Ada Stone & Otto)").features.map(\.letters) == ["adastone", "otto"])
        #expect(SongTitle("Rain (Taylor's Version)").version.others.count == 1)
    }

    @Test(
        "Artists are a list",
        arguments: [
            ("Nora Vale", ["noravale"]), ("Nora, Ada & Otto", ["nora", "ada", "otto"]), ("The Lanterns", ["lanterns"]),
            ("Nora feat. Ada", ["nora"]), ("Nora & the Lanterns", ["norathelanterns"]),
            ("NORA/Lanterns", ["nora", "lanterns"]),
            ("Nora (feat. Ada)", ["nora"]), ("Nora x Ada", ["nora", "ada"]),
            ("Tyler, the Creator", ["tylerthecreator"]),
            ("", []), ("+/-", ["+/-"]), ("X", ["x"]),
        ])
    func artists(text: String, expected: [String]) {
        #expect(ArtistList(text).main.map(\.letters) == expected)
    }

    @Test(
        "Editions do not count for albums",
        arguments: [
            ("Harbor (Deluxe Edition)", "Harbor", true), ("Harbor [+ Video] [+ Digital Booklet]", "Harbor", true),
            ("Harbor - Single", "Harbor", true), ("Harbor EP", "Harbor - EP", true),
            ("Harbor (Remixes)", "Harbor Remixes", true),
            ("Harbor (2011 Remaster)", "Harbor (Remastered)", true), ("Harbor: Live", "Harbor (Live)", true),
            ("Harbor, Vol. 1", "Harbor, Vol. 2", false), ("Harbor (Oslo)", "Harbor (Berlin)", false),
            ("1989", "1989 (Deluxe)", true), ("", "", false), ("東京", "大阪", false),
        ])
    func albums(one: String, other: String, expected: Bool) {
        #expect(AlbumTitle(one).isAlike(AlbumTitle(other)) == expected)
    }

    @Test("Lists that cannot be read in a useful way still give a name")
    func hostileTitles() {
        for title in [
            "", " ", "((((", "))))", "feat.", "- - -", "(", "[]()", "pt.", "with", "()feat. x", "\u{0}\u{301}", "Pt. 2",
        ] {
            let profile = IdentityProfile(IdentityRecord(title: title, artist: title, album: title))
            #expect((1...IdentityProfile.maximumKeys).contains(profile.keys.count), "\(title)")
        }
    }
}
