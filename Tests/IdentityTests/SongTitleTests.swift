import Testing

@testable import Identity

@Suite("Parsing titles and artists")
struct SongTitleTests {
    @Test(
        "The core is just the name of the song",
        arguments: [
            ("Rain (feat. Ada Stone) [Lumen Remix] [Radio Edit]", "rain"), ("Rain - Live at Oslo", "rain"),
            ("(I Can't Get) Rain", "icantgetrain"), ("Hello (Turn It On) Again", "helloturnitonagain"),
            ("Pearl, Pt. II", "pearl"), ("(Interlude)", "interlude"), ("Live", "live"), ("Long Live", "longlive"),
            ("...", "..."), ("Rain (Album Version (Edited)) [Clean]", "rain"), ("Rain (with Ada Stone)", "rain"),
            ("Rain feat. Ada, Otto & Mira (Lumen Remix)", "rain"), ("【Rain】", "rain"), ("Remix", "remix"),
            ("Rain (Feat. Ada; Continuous Mix Version)", "rain"), ("Déjà-vu", "dejavu"), ("Livewire", "livewire"),
            ("Liveversion", "liveversion"), ("東京ライブハウス", "東京ライフ\u{3099}ハウス"), ("Harbor: Live", "harbor"),
            ("Symphony No. 5: IV. Allegro", "symphonyno5"), ("Chapter 12", "chapter12"),
        ])
    func coreOfATitle(title: String, expected: String) {
        #expect(SongTitle(title).core.letters == expected)
    }

    @Test(
        "Versions are recognized by brackets, dashes and words",
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
    func recognizedVersions(title: String, expected: SongVersion.Kinds) {
        #expect(SongTitle(title).version.kinds == expected)
    }

    @Test(
        "Words without spaces are split where a version is named, in any script",
        arguments: [
            ("夜 (ライブバージョン)", SongVersion.Kinds.live), ("夜 (カラオケバージョン)", .karaoke), ("夜 (Live版)", .live),
            ("夜 (现场版)", .live), ("夜 (北京现场版)", .live), ("夜 (伴奏)", .instrumental), ("夜 (라이브버전)", .live),
            ("夜 (リミックスバージョン)", .remix), ("夜 (アコースティックバージョン)", .acoustic), ("夜 - ライブin東京", .live),
            ("夜 (オフボーカル)", .instrumental), ("Rain (Liveversion)", .live), ("Rain (Livemitschnitt)", .live),
            ("Rain - Karaokeversion", .karaoke), ("Rain (Remixversion)", .remix), ("Rain (Clubmix)", .remix),
            ("Rain (Instrumentalversion)", .instrumental), ("Rain (In Concert)", .live), ("Rain (Canlı)", .live),
            ("Rain (Na żywo)", .live), ("Βροχή (Ζωντανά)", .live), ("גשם (קריוקי)", .karaoke),
            ("Дождь (демоверсия)", .demo),
            // Words that only start or end like a version.
            ("夜 (ドライブ)", []), ("夜 (ライブハウス)", []), ("Rain (Livewire)", []), ("Rain (Alive)", []),
            ("Rain (Concerto)", []), ("夜に駆けるライブバージョン", []),
        ] as [(String, SongVersion.Kinds)])
    func compoundWords(title: String, expected: SongVersion.Kinds) {
        #expect(SongTitle(title).version.kinds == expected)
    }

    @Test(
        "After a colon, only text that is entirely a version counts as one",
        arguments: [
            ("Rain: Live", SongVersion.Kinds.live), ("Rain: Live at Oslo", .live), ("Rain: Lumen Remix", .remix),
            ("Rain : Instrumental", .instrumental), ("Rain: Remastered 2011", .remaster),
            ("Rain: Live and Let Go", []), ("Rain: Flip the Page", []), ("Rain: The Way I Live", []),
        ] as [(String, SongVersion.Kinds)])
    func textAfterAColon(title: String, expected: SongVersion.Kinds) {
        let read = SongTitle(title)
        #expect(read.version.kinds == expected)
        #expect(read.core.letters == "rain")
        #expect(read.subtitle.isEmpty == !expected.isEmpty)
    }

    @Test(
        "Numbers of sections count as numbers of parts",
        arguments: [
            ("Sonata (1st Movement)", "1"), ("Sonata (Second Movement)", "2"), ("Sonata (2. Satz)", "2"),
            ("Opera - Act II", "2"), ("Book: Chapter 12", "12"), ("Symphony: IV. Allegro", "4"), ("Rain: Part 2", "2"),
            ("Opera, Pt. 2: III. Finale", "2.3"), ("Rain (I Love You)", nil), ("Rain (V. I. P.)", nil),
            ("Rain (No One)", nil), ("Rain (First Love)", nil), ("Rain (2011)", nil),
        ] as [(String, String?)])
    func numbersOfSections(title: String, expected: String?) {
        #expect(SongTitle(title).version.part == expected)
    }

    @Test("Remixers, parts, languages and wording are read")
    func detailsOfATitle() {
        #expect(SongTitle("Rain (Lumen & Tessera Remix)").version.remixers == "lumentessera")
        #expect(SongTitle("Rain, Pts. 1-5").version.part == "1-5")
        #expect(SongTitle("Rain (Part Two)").version.part == "2")
        #expect(
            SongTitle("Rain (Versión en Español)").version.language
                == SongTitle("Rain (Spanish Version)").version.language)
        #expect(SongTitle("Rain (Spanish Version)").version.language != nil)
        #expect(
            SongTitle("雨 (日本語バージョン)").version.language == SongTitle("雨 (Japanese Version)").version.language)
        #expect(SongTitle("雨 (日本語バージョン)").version.language != nil)
        #expect(SongTitle("Rain (Explicit Album Version)").version.wording == .explicit)
        #expect(SongTitle("Rain (Amended Bonus Version)").version.wording == .clean)
        #expect(
            SongTitle("Rain (feat. Ada Stone & Otto)").features.flatMap(\.guests).map(\.letters) == [
                "adastone", "otto",
            ])
        #expect(SongTitle("Rain (Taylor's Version)").version.others.count == 1)
    }

    @Test(
        "Artists are read as a list",
        arguments: [
            ("Nora Vale", ["noravale"]), ("Nora, Ada & Otto", ["nora", "ada", "otto"]), ("The Lanterns", ["lanterns"]),
            ("Nora feat. Ada", ["nora"]), ("Nora & the Lanterns", ["norathelanterns"]),
            ("NORA/Lanterns", ["noralanterns"]), ("Nora Vale/Lanterns", ["noravale", "lanterns"]),
            ("Nora / Lanterns", ["nora", "lanterns"]), ("Nora • Ada · Otto", ["nora", "ada", "otto"]),
            ("Nora|Ada\\Otto", ["nora", "ada", "otto"]), ("Nora\u{0}Ada", ["nora", "ada"]),
            ("ジョン・レモン", ["ジョンレモン"]), ("10,000 Lanterns", ["10000lanterns"]), ("1,2,3", ["1", "2", "3"]),
            ("Lanterns, The", ["lanterns"]), ("Lanternas, Las", ["laslanternas"]), ("Thorn N' Petals", ["thornpetals"]),
            ("Nora y Ada", ["nora", "ada"]), ("Nora y los Faros", ["noralosfaros"]),
            ("Lil Nora X & Ada", ["lilnorax", "ada"]),
            ("B.I.G. Nora", ["bignora"]), ("Nora & Friends", ["norafriends"]), ("Nora &", ["nora"]),
            ("& Nora", ["nora"]),
            ("Nora // Ada", ["nora", "ada"]), ("Nora Vale - Ada", ["noravaleada"]),
            ("Nora (feat. Ada)", ["nora"]), ("Nora x Ada", ["nora", "ada"]),
            ("Tyler, the Creator", ["tylerthecreator"]),
            ("", []), ("+/-", ["+/-"]), ("X", ["x"]),
        ])
    func listOfArtists(text: String, expected: [String]) {
        #expect(ArtistList(text).main.map(\.letters) == expected)
    }

    @Test(
        "Editions do not distinguish albums",
        arguments: [
            ("Harbor (Deluxe Edition)", "Harbor", true), ("Harbor [+ Video] [+ Digital Booklet]", "Harbor", true),
            ("Harbor - Single", "Harbor", true), ("Harbor EP", "Harbor - EP", true),
            ("Harbor (Remixes)", "Harbor Remixes", true),
            ("Harbor (2011 Remaster)", "Harbor (Remastered)", true), ("Harbor: Live", "Harbor (Live)", true),
            ("Harbor, Vol. 1", "Harbor, Vol. 2", false), ("Harbor (Oslo)", "Harbor (Berlin)", false),
            ("1989", "1989 (Deluxe)", true), ("", "", false), ("東京", "大阪", false),
        ])
    func editionsOfAlbums(one: String, other: String, expected: Bool) {
        #expect(AlbumTitle(one).isAlike(AlbumTitle(other)) == expected)
    }

    @Test("Lists without a useful reading still give a name")
    func hostileTitles() {
        for title in [
            "", " ", "((((", "))))", "feat.", "- - -", "(", "[]()", "pt.", "with", "()feat. x", "\u{0}\u{301}", "Pt. 2",
            ",", ",,,&", "/", "//", "•", "The", "The, The", ", The", "& The", "n", "x x x", "A,B,C,D,E,F,G,H,I,J,K,L",
        ] {
            let profile = IdentityProfile(IdentityRecord(title: title, artist: title, album: title))
            #expect((1...IdentityProfile.maximumKeys).contains(profile.keys.count), "\(title)")
        }
    }
}
