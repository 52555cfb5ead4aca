import Identity
import Testing

@Suite("What albums say about the versions of their songs")
struct AlbumTakesTests {
    private static let code = "GBAYE0601477"

    private func verdict(
        _ album: String, _ title: String = "Rain", against other: (title: String, album: String) = ("Rain", "Harbor"),
        isrc: String? = nil
    ) -> Verdict {
        let (left, right) = (
            IdentityRulesTests.record(title, album: album, isrc: isrc),
            IdentityRulesTests.record(other.title, album: other.album, seconds: 200.4, isrc: isrc)
        )
        let verdict = IdentityRules().compare(left, right).verdict
        #expect(IdentityRules().compare(right, left).verdict == verdict, "not symmetric")
        return verdict
    }

    @Test(
        "A version next to the album's name applies to its songs, in any language",
        arguments: [
            "Harbor (Acoustic)", "Harbor (Acoustic Version)", "Harbor - Acoustic", "Harbor: Acoustic Sessions",
            "Harbor [Unplugged]", "Harbor (Stripped)", "Harbor (Instrumentals)", "Harbor (Instrumental Edition)",
            "Harbor (Demos)", "Harbor (A Cappella)", "Harbor (Piano Versions)", "Harbor (Sped Up)",
            "Harbor (Slowed + Reverb)", "Harbor (Acústico)", "Harbor (Akustisch)", "Harbor (Maquetas)",
            "Harbor (Off Vocal)", "Harbor (off vocal ver.)", "Harbor (Inst.)", "Harbor - Without Vocals",
            "Harbor (Re-Recorded)", "Harbor: The Re-Recordings", "Harbor (Lo-Fi)", "Harbor (8-Bit)",
            "Harbor (Outtakes)",
            "Harbor (Rehearsals)", "Harbor (Commentary)", "Harbor (アコースティック)", "Harbor (Инструментал)",
            "Night (Orchestral)", "Harbor (A Capella)", "Harbor (Versioni Acustiche)", "Harbor (Wersje akustyczne)",
            "Harbor (Akustické verze)", "Harbor (Akoestische versies)", "Harbor (Akustiska versioner)",
            "Harbor (Akustiset versiot)", "Harbor (أكوستيك)", "Harbor (Strumentale)", "Harbor (Instr.)",
            "Harbor (Instrumentalversionen)", "Harbor (Demoversionen)", "Harbor (Демозаписи)",
            "Harbor (With Orchestra)", "Harbor (Sinfónico)", "Harbor (Versión Orquestal)", "Harbor (Symphonisch)",
            "Harbor (Orchesterversion)", "Harbor (String Quartet Version)", "Harbor (Klavierversion)",
            "Harbor (ピアノ)", "Harbor (Ukulele Version)", "Harbor (Guitar)", "Harbor (オルゴール)",
            "Harbor (Lullaby Versions)", "Harbor (Vocals Only)", "Harbor (Drumless)",
        ])
    func versionsOfAlbums(album: String) {
        #expect(verdict(album) == .different)
        // A code identifies the recording.
        #expect(verdict(album, isrc: Self.code) == .same)
    }

    @Test(
        "A version at the end of the name only raises doubt",
        arguments: [
            "Harbor Acoustic", "Harbor Instrumentals", "MTV Unplugged in Oslo", "Harbor Unplugged", "Harbor (Live)",
            "Harbor (BBC Sessions)", "Harbor (Reimagined)", "Harbor - Reworked", "Live Harbors", "Live and Dangerous",
            "Karaoke Nights",
        ])
    func doubtfulVersions(album: String) {
        #expect(verdict(album) == .undecided)
    }

    @Test(
        "The album's own name, an edition, and additions to an album say nothing",
        arguments: [
            "Stripped", "Stripped (Bonus)", "Acoustic", "Demo", "Piano", "Instrumental Asylum",
            "The Acoustic Room (Deluxe)", "Harbor (Deluxe with Demos)", "Harbor (Deluxe Edition) [+ Instrumentals]",
            "Harbor (Bonus Demos)",
            "Harbor (Deluxe & Acoustic Edition)", "Harbor (Japanese Edition)", "Harbor (Target Exclusive Version)",
            "(Acoustic)", "Harbor (Deluxe / Demos)", "Harbor (Demos included)", "Harbor (plus Live Tracks)",
            "Harbor (Deluxe Edition) [with Live Bonus]", "Live Through This", "Live It Up", "Live and Let Go",
            "The Way We Live", "Karaoke", "Harbor (Guitar Solos)",
        ])
    func namesWithoutVersions(album: String) {
        #expect(verdict(album) == .same)
    }

    @Test(
        "A version in the title of one and in the album of the other agree",
        arguments: [
            ("Harbor (Acoustic)", "Rain (Acoustic)"), ("Harbor (Acoustic)", "Rain - Acoustic Version"),
            ("Harbor (Inst.)", "Rain (Off Vocal)"), ("Harbor (Re-Recorded)", "Rain (Re-Recording)"),
            ("Harbor: Demos & Outtakes", "Rain (Demo)"),
            ("Harbor (Piano Versions)", "Rain (Piano Version)"), ("Harbor Instrumentals", "Rain (Instrumental)"),
        ])
    func titleAndAlbumAgree(album: String, title: String) {
        #expect(verdict(album, against: (title, "Night")) == .same)
        #expect(verdict(album, against: (title, album)) == .same)
    }

    @Test(
        "Karaoke and playback albums are copies, whatever the code says",
        arguments: ["Harbor (Karaoke)", "Harbor Karaoke", "Harbor (Made Famous by Nora Vale)"])
    func karaokeAlbums(album: String) {
        #expect(verdict(album) == .different)
        #expect(verdict(album, isrc: Self.code) == .different)
    }

    @Test("A playback album has the songs without vocals")
    func playback() {
        #expect(verdict("Harbor (Playback)") == .different)
        #expect(verdict("Harbor (Playback)", against: ("Rain (Playback)", "Night")) == .same)
    }
}
