import Identity
import Model
import Testing

@Suite("Rules that decide which records are one song")
struct IdentityRulesTests {
    /// Creates a record with a duration in seconds, which keeps the cases short.
    static func record(
        _ title: String, _ artist: String = "Nora Vale", album: String = "Harbor", seconds: Double? = 200,
        isrc: String? = nil, isExplicit: Bool? = nil
    ) -> IdentityRecord {
        IdentityRecord(
            title: title, artist: artist, album: album, durationMs: seconds.map { Int($0 * 1_000) }, isrc: isrc,
            isExplicit: isExplicit)
    }

    private static let code = "GBAYE0601477"
    private static let otherCode = "USRC17607839"

    private func verdict(
        _ one: IdentityRecord, _ other: IdentityRecord, isOneSource: Bool = false, _ rules: IdentityRules = .init()
    ) -> Verdict {
        let (left, right) = (IdentityProfile(one), IdentityProfile(other))
        let comparison = rules.compare(left, right, isOneSource: isOneSource)
        #expect(rules.compare(right, left, isOneSource: isOneSource).verdict == comparison.verdict, "not symmetric")
        #expect(!comparison.evidence.isEmpty)
        return comparison.verdict
    }

    @Test("A duration that no recording can have counts as not known", arguments: [Int.min, -1, 604_800_001, Int.max])
    func impossibleDurations(duration: Int) {
        let record = IdentityRecord(title: "Harbor", artist: "Ada", durationMs: duration)
        #expect(record.durationMs == nil)
        var other = IdentityRecord(title: "Harbor", artist: "Ada", durationMs: 200_000)
        #expect(IdentityRules().compare(record, other).verdict != .different)
        other.durationMs = duration
        #expect(other.durationMs == nil)
    }

    @Test(
        "Different spellings are one song",
        arguments: [
            ("Silver and Gold", "Silver And Gold"), ("The Back Roads and the Row", "The Back Roads & The Row"),
            ("Don't Wait", "Don’t Wait"), ("I Ai n't Leaving", "I Ain't Leaving"), ("Déjà-vu", "Deja Vu"),
            ("The Hollow Moon...", "The Hollow Moon…"), ("ＲＡＩＮ", "Rain"), ("Straße", "Strasse"),
            ("Guest (feat. Ada Stone)", "Guest"), ("Guest (feat. Ada Stone)", "Guest [Feat. Ada Stone]"),
            ("Guest (with Ada Stone)", "Guest ft. Ada Stone"), ("Take You", "Take You (Album Version)"),
            ("Rain (Bonus Track)", "Rain (Deluxe Edition)"), ("Rain [Explicit]", "Rain"), ("Rain [Clean]", "Rain"),
            ("Rain - Remastered 2011", "Rain"), ("Rain (2011 Remaster)", "Rain - Remastered"),
            ("Pearl, Pt. II", "Pearl, Part 2"), ("Rain (Acoustic)", "Rain - Acoustic Version"),
            ("Rain (Lumen Remix) [feat. Ada]", "Rain (feat. Ada) [Lumen Remix]"), ("Rain - From \"Harbor\"", "Rain"),
            ("Rain: A Song of the Sea", "Rain (A Song of the Sea)"), ("さくら", "サクラ"), ("東京", "東京"),
            ("BeyoncÃ©s Rain", "Beyoncés Rain"), ("JhenÌ © Sings", "Jhen' © Sings"), ("Ke$ha's Rain", "Kesha's Rain"),
            ("F**k the Rain", "Fuck the Rain"),
        ])
    func sameTitles(one: String, other: String) {
        #expect(verdict(Self.record(one), Self.record(other, album: "Other", seconds: 202)) == .same)
    }

    @Test(
        "Other songs, takes and versions are different",
        arguments: [
            ("東京", "大阪"), ("Rain", "Fire"), ("Rain (Live)", "Rain"), ("Rain - Live at Oslo", "Rain"),
            ("Rain (Live at Oslo)", "Rain (Live in Berlin)"), ("Rain (Lumen Remix)", "Rain"),
            ("Rain (Lumen Remix)", "Rain (Tessera Remix)"), ("Rain Remix (feat. Ada)", "Rain"),
            ("Rain (Karaoke Version)", "Rain"), ("Rain (Instrumental)", "Rain"), ("Rain (Acoustic)", "Rain"),
            ("Rain (Demo)", "Rain"), ("Rain (Extended Mix)", "Rain"), ("Rain (Spanish Version)", "Rain"),
            ("Rain [Explicit]", "Rain [Clean]"), ("Pearl, Pt. 1", "Pearl, Pt. 2"), ("Rain (Nora's Version)", "Rain"),
            ("Rain (Originally Performed by Nora Vale)", "Rain"), ("Rain (Piano Version)", "Rain"),
            ("!!!", "???"), ("+", "÷"), ("Interlude I", "Interlude II"), ("4", "5"),
        ])
    func differentTitles(one: String, other: String) {
        #expect(verdict(Self.record(one), Self.record(other)) == .different)
    }

    @Test(
        "What cannot be compared is undecided",
        arguments: [
            ("東京", "Tokyo"), ("Звезда", "Zvezda"), ("사랑", "Sarang"), ("Rain (Radio Edit)", "Rain"),
            ("Pearl, Pt. 2", "Pearl"), ("Sonata", "Sonata (1st Movement)"), ("Sonata", "Sonata: I. Allegro"),
            ("Rain (Remix)", "Rain (Lumen Remix)"),
        ])
    func undecidedTitles(one: String, other: String) {
        #expect(verdict(Self.record(one), Self.record(other)) == .undecided)
    }

    @Test(
        "Artists agree in any order and notation, ignoring guests",
        arguments: [
            ("Nora Vale & Ada Stone", "Ada Stone, Nora Vale", Verdict.same),
            ("Nora Vale feat. Ada Stone", "Nora Vale", .same),
            ("Nora Vale & Ada Stone", "Nora Vale", .same), ("The Lanterns", "Lanterns", .same),
            ("Nora & the Lanterns", "Nora and The Lanterns", .same), ("P!NK", "Pink", .same), ("Маяк", "маяк", .same),
            ("Nora Vale", "Ada Stone", .different), ("Nora Vale & Ada Stone", "Nora Vale & Otto", .undecided),
            ("Маяк", "Mayak", .undecided), ("Various Artists", "Nora Vale", .undecided), ("", "Nora Vale", .undecided),
            ("Nora Vale Karaoke Band", "Nora Vale", .different),
        ])
    func artistsInAnyNotation(one: String, other: String, expected: Verdict) {
        #expect(verdict(Self.record("Rain", one), Self.record("Rain", other)) == expected)
    }

    @Test(
        "Durations within 2.5 s join, and up to a tenth only with title and album",
        arguments: [
            ("Harbor", 202.5, Verdict.same), ("Other", 202.5, .same), ("Other", 202.6, .undecided),
            ("Harbor", 202.6, .same), ("Harbor (Deluxe Edition)", 210, .same), ("Harbor - EP", 210, .same),
            ("Harbor", 223, .different), ("Harbor", nil, .same), ("Other", nil, .undecided), ("", nil, .undecided),
        ] as [(String, Double?, Verdict)])
    func tolerancesOfDurations(album: String, seconds: Double?, expected: Verdict) {
        #expect(verdict(Self.record("Rain"), Self.record("Rain", album: album, seconds: seconds)) == expected)
    }

    @Test("A small difference between titles needs matching durations")
    func smallDifferences() {
        let (one, other) = ("Beleive in Harbors", "Believe in Harbors")
        #expect(verdict(Self.record(one), Self.record(other, album: "Other", seconds: 201)) == .same)
        #expect(verdict(Self.record(one), Self.record(other, seconds: nil)) == .undecided)
        // A source always spells a title the same way.
        #expect(verdict(Self.record(one), Self.record(other), isOneSource: true) == .undecided)
    }

    @Test("An equal ISRC joins unless title or duration contradicts it")
    func equalCodes() {
        func pair(_ title: String, _ artist: String = "Nora Vale", album: String = "Other", seconds: Double? = 200)
            -> Verdict
        {
            verdict(
                Self.record("Rain on Harbors", isrc: "gb-aye-06-01477"),
                Self.record(title, artist, album: album, seconds: seconds, isrc: Self.code))
        }
        #expect(pair("Rain on Harbors", seconds: 215) == .same)
        #expect(pair("Rain on Harbors", seconds: nil) == .same)
        #expect(pair("Rain on Harbors", "Various Artists") == .same)
        #expect(pair("Rain on Harbors", "Somebody Else") == .same)
        #expect(pair("Rain on Harbours (Radio Edit)") == .same)
        #expect(pair("雨の港") == .same)
        #expect(pair("Something Completely Different") == .different)
        #expect(pair("Rain on Harbors (Live)") == .different)
        #expect(pair("Rain on Harbors", seconds: 150) == .different)
        // Nothing but the code suggests one song.
        #expect(pair("雨の港", seconds: 206) == .undecided)
    }

    @Test(
        "Different numbers in otherwise equal titles contradict, with an equal ISRC, too",
        arguments: [
            ("Symphony No. 5: I. Allegro", "Symphony No. 5: IV. Allegro"), ("Symphony No. 5", "Symphony No. 6"),
            ("Sonata (1st Movement)", "Sonata (2nd Movement)"), ("Chapter 12", "Chapter 13"),
            ("Kapitel 01", "Kapitel 02"), ("Act I", "Act II"), ("Interlude (1)", "Interlude (2)"),
            ("Chapter One: The Sea", "Chapter Two: The Sea"), ("第一楽章", "第二楽章"), ("مقطع ٢", "مقطع ٣"),
        ])
    func otherNumbers(one: String, other: String) {
        let coded = (Self.record(one, isrc: Self.code), Self.record(other, seconds: 201, isrc: Self.code))
        #expect(verdict(coded.0, coded.1) == .different)
        #expect(verdict(Self.record(one), Self.record(other, seconds: 201)) == .different)
    }

    @Test(
        "One number in two notations, or one that only one title has, does not contradict an equal ISRC",
        arguments: [
            ("Kapitel 01", "Kapitel 1"), ("Sonata (1st Movement)", "Sonata (First Movement)"), ("第十二章", "第12章"),
            ("Sonata", "Sonata (1st Movement)"), ("Two Harbors", "2 Harbors"), ("I Love Harbors", "Love Harbors"),
        ])
    func equalNumbers(one: String, other: String) {
        #expect(verdict(Self.record(one, isrc: Self.code), Self.record(other, seconds: 201, isrc: Self.code)) == .same)
    }

    @Test("A remaster is the same song only if the setting says so")
    func settingForRemasters() {
        let (one, other) = (Self.record("Rain"), Self.record("Rain - 2011 Remaster"))
        #expect(verdict(one, other) == .same)
        #expect(verdict(one, other, IdentityRules(remastersAreSame: false)) == .different)
        #expect(verdict(other, other, IdentityRules(remastersAreSame: false)) == .same)
    }

    @Test("An album of one source lists a recording only once")
    func oneSource() {
        let (one, other) = (
            Self.record("Rain", isrc: Self.code), Self.record("Rain", seconds: 201, isrc: Self.otherCode)
        )
        #expect(verdict(one, other, isOneSource: true) == .different)
        #expect(verdict(one, other) == .same)
        #expect(
            verdict(one, Self.record("Rain", album: "Best of", seconds: 200.5, isrc: Self.otherCode), isOneSource: true)
                == .same)
    }

    @Test("Live takes on two releases are two songs, unless a code says otherwise")
    func liveTakes() {
        func take(_ album: String, _ isrc: String?) -> IdentityRecord {
            Self.record("Rain (Live)", album: album, isrc: isrc)
        }
        #expect(verdict(take("Live in Oslo", Self.code), take("Live in Oslo (Deluxe)", Self.otherCode)) == .same)
        #expect(verdict(take("Live in Oslo", Self.code), take("Harbor (Deluxe)", Self.otherCode)) == .undecided)
        #expect(verdict(take("Live in Oslo", Self.code), take("Harbor (Deluxe)", Self.code)) == .same)
        // All songs of a live album are live.
        #expect(verdict(take("Oslo (Live)", nil), Self.record("Rain", album: "Oslo: Live")) == .same)
    }

    @Test("Explicit and unmarked do not differ, explicit and clean do")
    func explicitAndClean() {
        let explicit = Self.record("Rain", isExplicit: true)
        #expect(verdict(explicit, Self.record("Rain", isExplicit: false)) == .same)
        #expect(verdict(explicit, Self.record("Rain", album: "Harbor [Clean]")) == .different)
    }

    @Test("Apple Music marks songs as clean; other services say of any song that it is not explicit")
    func cleanSongs() {
        func record(_ isExplicit: Bool?, of source: MusicSource) -> IdentityRecord {
            var track = SourceTrack(sourceID: "1", title: "Rain", artist: "Nora Vale", album: "Harbor")
            (track.durationMs, track.isExplicit) = (200_000, isExplicit)
            return IdentityRecord(track, of: source)
        }
        let explicit = record(true, of: .spotify)
        #expect(verdict(explicit, record(false, of: .appleMusic)) == .different)
        #expect(verdict(record(true, of: .appleMusic), record(false, of: .appleMusic)) == .different)
        for source in MusicSource.allCases {
            #expect(verdict(explicit, record(nil, of: source)) == .same)
            #expect(verdict(record(false, of: .appleMusic), record(false, of: source)) == .same)
        }
        #expect(verdict(explicit, record(false, of: .spotify)) == .same)
        #expect(verdict(explicit, record(false, of: .file)) == .same)
    }

    @Test(
        "A code outweighs a difference in titles or in artists, but not in both", arguments: [nil, 200] as [Double?])
    func codesOfOthers(seconds: Double?) {
        func pair(_ title: String, _ artist: String, _ other: String = "Glowing Harbor") -> Verdict {
            verdict(
                Self.record(other, seconds: seconds, isrc: Self.code),
                Self.record(title, artist, album: "Other", seconds: seconds, isrc: Self.code))
        }
        #expect(pair("Glowing Harbor", "Night Hits") == .same)
        #expect(pair("Glowing Harbor Again", "Nora Vale") == .same)
        // Nothing but the code suggests one song.
        for artist in ["Various Artists", "Unknown Artist", "", "マウォン"] {
            #expect(pair("Glowing Harbor Again", artist) == .undecided)
            #expect(pair("Glowing Harbor", artist, "Glowing Harbour") != .different)
        }
        #expect(pair("Glowing Harbor Again", "Ada Stone & Nora Vale") == .same)
        #expect(pair("My Glowing Harbor", "Ada Stone") == .different)
        #expect(pair("Glowing Arbor", "Ada Stone") == .different)
        #expect(pair("Harbor (Last Light)", "Ada Stone", "Harbor (First Light)") == .different)
        #expect(pair("輝く港", "Ada Stone") == .different)
    }

    @Test("Evidence is written in sentences")
    func evidenceIsSentences() {
        let comparison = IdentityRules().compare(
            Self.record("Rain", isrc: Self.code),
            Self.record("Rain (feat. Ada)", album: "Harbor (Deluxe)", seconds: 201.5))
        #expect(
            comparison.sentences == [
                "The titles agree: “Rain” and “Rain (feat. Ada)”.", "The artists agree.",
                "The durations are 1.5 s apart.",
                "They are editions of one album: “Harbor” and “Harbor (Deluxe)”.",
            ])
    }
}
