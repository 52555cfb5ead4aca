import Testing

@testable import Identity

@Suite("Comparing the artists of two records")
struct ArtistNamesTests {
    private func verdict(_ one: String, _ other: String, albums: (String, String) = ("Harbor", "Night")) -> Verdict {
        let (left, right) = (
            IdentityProfile(IdentityRulesTests.record("Rain", one, album: albums.0)),
            IdentityProfile(IdentityRulesTests.record("Rain", other, album: albums.1, seconds: 200.6))
        )
        let verdict = IdentityRules().compare(left, right).verdict
        #expect(IdentityRules().compare(right, left).verdict == verdict, "not symmetric")
        if verdict == .same {
            #expect(!Set(left.keys).isDisjoint(with: right.keys), "not found")
        }
        return verdict
    }

    @Test(
        "Lists agree in any notation",
        arguments: [
            "Nora Vale • Otto Reif • KAI", "Nora Vale · Otto Reif · KAI", "Nora Vale | Otto Reif | KAI",
            "Nora Vale|Otto Reif|KAI", "Nora Vale; Otto Reif; KAI", "Nora Vale;Otto Reif;KAI",
            "Nora Vale / Otto Reif / KAI", "Nora Vale/Otto Reif/KAI", "Nora Vale // Otto Reif // KAI",
            "Nora Vale\\Otto Reif\\KAI", "Nora Vale\\\\Otto Reif\\\\KAI", "Nora Vale\u{0}Otto Reif\u{0}KAI",
            "Nora Vale、Otto Reif、KAI", "Nora Vale，Otto Reif，KAI", "Nora Vale ¦ Otto Reif ¦ KAI",
            "Nora Vale & Otto Reif + KAI", "Nora Vale x Otto Reif × KAI", "Nora Vale y Otto Reif y KAI",
            "Nora Vale und Otto Reif und KAI", "Nora Vale e Otto Reif e KAI", "Nora Vale og Otto Reif og KAI",
            "Nora Vale feat. Otto Reif & KAI", "Nora Vale (feat. Otto Reif; KAI)", "KAI; Otto Reif; Nora Vale",
            "Nora Vale\nOtto Reif\nKAI", "Nora Vale×Otto Reif×KAI", "Nora Vale ✕ Otto Reif ✖ KAI",
            "Nora Vale ‣ Otto Reif ⬝ KAI", "Nora Vale ♦ Otto Reif ♦ KAI", "Nora Vale → Otto Reif → KAI",
            "Nora Vale+Otto Reif+KAI", "Nora Vale con Otto Reif con KAI", "Nora Vale mit Otto Reif & KAI",
            "Nora Vale avec Otto Reif, KAI", "Nora Vale com Otto Reif, KAI", "Nora Vale med Otto Reif, KAI",
            "Nora Vale w/ Otto Reif, KAI", "Nora Vale f/ Otto Reif, KAI", "Nora Vale vs. Otto Reif vs. KAI",
            "Nora Vale pres. Otto Reif, KAI", "Nora Vale b2b Otto Reif b2b KAI", "Nora Vale ╱ Otto Reif ❘ KAI",
            "Nora Vale 和 Otto Reif 和 KAI", "Nora Vale と Otto Reif と KAI", "Nora Vale ir Otto Reif ir KAI",
            "Nora Vale dan Otto Reif, KAI", "Nora Vale và Otto Reif, KAI", "Nora Vale și Otto Reif, KAI",
            "Nora Vale oraz Otto Reif; KAI", "Nora Vale ile Otto Reif, KAI", "Nora Vale duet with Otto Reif, KAI",
            "Nora Vale plus Otto Reif plus KAI", "Nora Vale و Otto Reif و KAI", "Nora Vale และ Otto Reif, KAI",
            "Nora Vale और Otto Reif, KAI", "['Nora Vale', 'Otto Reif', 'KAI']", "[Nora Vale, Otto Reif, KAI]",
        ])
    func notationsOfLists(list: String) {
        #expect(verdict(list, "Nora Vale, Otto Reif, KAI") == .same)
        #expect(verdict(list, "KAI • Otto Reif • Nora Vale") == .same)
    }

    @Test(
        "A name that contains a separator is one name, however it is written",
        arguments: [
            ("Stone, Reed & Moss", "Stone Reed & Moss"), ("Stone, Reed & Moss", "Stone Reed Moss"),
            ("Stone, Reed, Moss & Fern", "Stone Reed Moss & Fern"), ("Stone, Reed & Moss, KAI", "Stone Reed & Moss"),
            ("Stone, Reed & Moss feat. KAI", "Stone Reed and Moss"), ("12,000 Lanterns", "12000 Lanterns"),
            ("1,200,000 Miles", "1200000 Miles"), ("VE/DA", "VEDA"), ("VE/DA", "VE-DA"), ("VE∕DA", "VE/DA"),
            ("VE - DA", "VEDA"), ("Thorn N' Petals", "Thorn & Petals"), ("Lanterns, The", "The Lanterns"),
            ("Lanterns, The; Larks, The", "The Larks & The Lanterns"), ("Toten Lampen, Die", "Die Toten Lampen"),
            ("Faros, Los", "Los Faros"), ("Orson, The Painter", "Orson The Painter"),
            ("Nora, The Lanterns, KAI", "Nora • The Lanterns • KAI"), ("Nora, The Lanterns", "Lanterns & Nora"),
            ("Orson, The Painter, Nora", "Orson The Painter & Nora"), ("Nora + The Engine", "Nora & the Engine"),
            ("ジョン・レモン", "ジョンレモン"), ("迈克尔·李", "迈克尔李"), ("Nick en Tess", "Nick & Tess"), ("Маша и Ветер", "Маша & Ветер"),
            ("ジョン×ヨーカ", "ジョン, ヨーカ"), ("★VEDA★", "VEDA"), ("VEDA+", "VEDA"), ("2×4", "2x4"),
            ("N.V.A", "NVA"), ("'N Tune", "*NTUNE"), ("R.I.N.G", "RING"), ("Thorn 'n' Petals", "Thorn and Petals"),
            ("g(y)", "gy"), ("(K)O-DLE", "KO-DLE"), ("k(no)t", "knot"), ("(Lampe)", "Lampe"),
            ("Lanterns(UK)", "Lanterns"), ("林小夏和王大海", "林小夏、王大海"), ("森本明子と川田一郎", "森本明子, 川田一郎"),
            ("ヨルカと森本明子", "ヨルカ・森本明子"), ("한소라와 박민호", "박민호, 한소라"), ("大和田", "大和田"),
        ])
    func oneName(one: String, other: String) {
        #expect(verdict(one, other) == .same)
    }

    @Test(
        "Part of a name does not join, nor does one artist of several; different albums separate them",
        arguments: [
            ("VE/DA", "DA"), ("VE/DA", "VE"), ("Stone, Reed & Moss", "Moss"), ("Thorn N' Petals", "Petals"),
            ("Nora Vale, Otto Reif", "Otto Reif"), ("Nora Vale & Otto Reif", "Otto Reif & KAI"), ("Nora; Otto", "Otto"),
        ])
    func partsOfNames(one: String, other: String) {
        #expect(verdict(one, other, albums: ("Harbor", "Harbor")) == .undecided)
        #expect(verdict(one, other, albums: ("Harbor", "")) == .undecided)
        #expect(verdict(one, other) == .different)
    }

    @Test(
        "A list's first artists stand for the whole", arguments: ["Nora Vale, Otto Reif", "Nora Vale & Otto Reif; KAI"])
    func firstArtists(list: String) {
        #expect(verdict(list, "Nora Vale") == .same)
    }

    @Test(
        "A different word order, or a leader without the ensemble, raises doubt that an equal album resolves",
        arguments: [
            ("Mori Akiko", "Akiko Mori"), ("Akiko Mori", "Mori, Akiko"), ("Kim Su-hyun", "Suhyun Kim"),
            ("Nora Vale", "Nora Vale Quartet"), ("Nora Vale Trio", "Nora Vale Quintett"),
            ("Nora Vale", "Nora Vale & The Keepers"), ("Nora Vale and His Orchestra", "Nora Vale"),
            ("Orquesta Nora Vale", "Nora Vale"), ("Otto Reif und die Lampen", "Otto Reif"),
            ("Norddeutsche Philharmoniker, Nora Vale", "Nora Vale"), ("Palast Orchester mit Otto Reif", "Otto Reif"),
            ("Mori Akiko, KAI", "Akiko Mori & KAI"), ("森明子トリオ", "森明子"), ("王小林乐团", "王小林"),
        ])
    func similarNames(one: String, other: String) {
        #expect(verdict(one, other) == .undecided)
        #expect(verdict(one, other, albums: ("Harbor", "Harbor (Deluxe)")) == .same)
    }

    @Test(
        "A name within another raises doubt, but is found",
        arguments: [
            ("Reif", "Otto Reif"), ("Otto", "Otto Reif"), ("Nora Vale", "Nora Vale Stone"),
            ("Nora Vale", "Dr. Nora Vale"),
            ("Nora Vale", "The Nora Vale Experience"),
            ("Nora Vale", "Nora M. Vale"), ("Nora Vale", "Nora Vale Big Band"), ("Чайковский", "Пётр Ильич Чайковский"),
            ("DJ Nora", "Nora"), ("Reif", "Otto Reif & KAI"),
        ])
    func containedNames(one: String, other: String) {
        #expect(verdict(one, other) == .undecided)
        // Two artists may have such names, even on the same album.
        #expect(verdict(one, other, albums: ("Harbor", "Harbor")) == .undecided)
        let keys = [one, other].map { Set(IdentityProfile(IdentityRulesTests.record("Rain", $0)).keys) }
        #expect(!keys[0].isDisjoint(with: keys[1]))
    }

    @Test("A word of a name is not the name, but an equal ISRC is enough")
    func wordsOfNames() {
        func shares(_ one: String, _ other: String, isrcs: (String?, String?) = (nil, nil)) -> Bool {
            let (left, right) = (
                IdentityProfile(IdentityRulesTests.record("Rain", one, isrc: isrcs.0)),
                IdentityProfile(IdentityRulesTests.record("Rain", other, isrc: isrcs.1))
            )
            let isShared = left.sharesNameOrISRC(with: right)
            #expect(right.sharesNameOrISRC(with: left) == isShared, "not symmetric")
            return isShared
        }
        #expect(!shares("Reif", "Otto Reif"))
        #expect(!shares("Otto Reif", "Otto Stone"))
        #expect(shares("Otto Reif", "Reif, Otto"))
        #expect(shares("Otto Reif", "Otto Reif Quartet"))
        #expect(shares("Otto Reif", "Otto Reif & KAI"))
        #expect(shares("Reif", "Otto Reif", isrcs: ("GBAYE0601477", "GB-AYE-06-01477")))
        #expect(!shares("Reif", "Otto Reif", isrcs: ("GBAYE0601477", "USRC17607839")))
    }

    @Test("Keys of words in the last slots raise no doubt about names that agree")
    func placesOfWords() {
        let list = "Nora Vale, Otto, Ivy, Lena"
        let profile = IdentityProfile(IdentityRulesTests.record("Rain", list))
        #expect(profile.hasAllNames)
        #expect(verdict(list, "Lena & Ivy; Otto; Nora Vale") == .same)
        #expect(!IdentityProfile(IdentityRulesTests.record("Rain", list + ", Dora, Fern")).hasAllNames)
    }

    @Test(
        "Different artists are different, and so are their imitators",
        arguments: [
            ("Nora Vale", "Nora Stone"), ("Nora Vale", "Nora Vale Tribute Band"), ("Nora Vale", "Hommage à Nora Vale"),
            ("Nora Vale", "Tributo a Nora Vale"), ("Nora Vale", "Nora Vale Cover Band"),
            ("Nora Vale", "Nora Vale Coverband"), ("Nora Vale", "Nora Vale Tribut"), ("Nora Vale", "Ode to Nora Vale"),
            ("Nora Vale", "Salute to Nora Vale"), ("Nora Vale", "Nora Vale Revival Band"),
            ("Nora Vale", "Nora Vale Covers"), ("Nora Vale", "Hyllning Nora Vale"), ("Nora Vale", "Pocta Nora Vale"),
            ("Nora Vale", "致敬 Nora Vale"), ("Nora Vale", "Nora Vale 헌정"), ("g(y)", "g"), ("N.V.A", "W.X.T"),
            ("Stone, Reed & Moss", "Fern, Ivy & Oak"), ("VE/DA", "VE-DO"),
        ])
    func differentArtists(one: String, other: String) {
        #expect(verdict(one, other, albums: ("Harbor", "Harbor")) == .different)
    }

    @Test("Lists of a hundred artists have few keys, and find each other")
    func longLists() {
        let names = (0..<120).map { "Artist number \($0)" }
        let profile = IdentityProfile(IdentityRulesTests.record("Rain", names.joined(separator: ", ")))
        #expect(profile.keys.count <= IdentityProfile.maximumKeys)
        #expect(verdict(names.joined(separator: ", "), names.joined(separator: " • ")) == .same)
        #expect(verdict(names[..<40].joined(separator: ", "), names[..<40].reversed().joined(separator: "; ")) == .same)
    }
}
