import Model
import TestSupport
import Testing

@testable import Curation

@Suite("Lists limited to one artist")
struct OnlyArtistsTests {
    private static let known =
        ["Zoë Käfer", "Ann Lee", "Lee", "Love", "The Otters", "Beat", "Otters and Eels"] + [
            "周杰伦", "林俊杰", "宇多田 ヒカル", "Perfume", "아이유", "태연", "अरिजीत सिंह", "कैलाश खेर", "ปาน", "คาราบาว",
        ]

    @Test(
        "A prompt may limit the list to artists",
        arguments: [
            ("only songs by Zoë Käfer", ["Zoë Käfer"]), ("ONLY ZOE KAFER", ["Zoë Käfer"]),
            ("just Zoë Käfer, please", ["Zoë Käfer"]), ("nothing but Zoë Käfer", ["Zoë Käfer"]),
            ("exclusively music from Zoë Käfer for the road", ["Zoë Käfer"]), ("Zoë Käfer songs only", ["Zoë Käfer"]),
            ("songs by Zoë Käfer only", ["Zoë Käfer"]), ("Zoë Käfer exclusively", ["Zoë Käfer"]),
            ("a mix with only Zoë Käfer's songs", ["Zoë Käfer"]),
            ("only the best live songs by Ann Lee", ["Ann Lee"]),
            ("only songs by Zoë Käfer and Ann Lee", ["Zoë Käfer", "Ann Lee"]),
            ("only Otters and Eels", ["Otters and Eels"]), ("nur Lieder von Zoë Käfer", ["Zoë Käfer"]),
            ("ausschließlich Zoë Käfer", ["Zoë Käfer"]), ("uniquement des chansons de Ann Lee", ["Ann Lee"]),
            ("solo canciones de Ann Lee", ["Ann Lee"]), ("soltanto brani di Ann Lee", ["Ann Lee"]),
            ("alleen nummers van Ann Lee", ["Ann Lee"]), ("tylko piosenki Ann Lee", ["Ann Lee"]),
            ("jen písničky od Ann Lee", ["Ann Lee"]),
            ("songs by Zoë Käfer and Ann Lee only", ["Zoë Käfer", "Ann Lee"]),
            ("Otters and Eels and Beat, nobody else", ["Otters and Eels", "Beat"]),
            ("every song by Zoë Käfer, no one else", ["Zoë Käfer"]), ("Ann Lee, sonst niemand", ["Ann Lee"]),
            ("Ann Lee et personne d'autre", ["Ann Lee"]), ("only Ann Lee and nobody else", ["Ann Lee"]),
            ("I only want to hear Zoë Käfer", ["Zoë Käfer"]), ("we only want songs by Ann Lee", ["Ann Lee"]),
            // Every song, and nothing else.
            ("all songs should be by Zoë Käfer", ["Zoë Käfer"]), ("every track by Ann Lee", ["Ann Lee"]),
            ("each song has to be from the Otters", ["The Otters"]), ("an all Ann Lee playlist", ["Ann Lee"]),
            ("everything by Zoë Käfer", ["Zoë Käfer"]), ("all of the tracks must be by Ann Lee", ["Ann Lee"]),
            ("alle Lieder sollen von Ann Lee sein", ["Ann Lee"]), ("toutes les chansons de Ann Lee", ["Ann Lee"]),
            ("nothing except songs by Ann Lee", ["Ann Lee"]), ("no artists other than Ann Lee", ["Ann Lee"]),
            ("no one but Zoë Käfer", ["Zoë Käfer"]), ("don't play anything but Ann Lee", ["Ann Lee"]),
            ("niemand außer Zoë Käfer", ["Zoë Käfer"]), ("rien d'autre que Ann Lee", ["Ann Lee"]),
            ("nada más que Ann Lee", ["Ann Lee"]), ("I'd like only songs by Ann Lee", ["Ann Lee"]),
            ("Zoë Käfer only playlist", ["Zoë Käfer"]), ("bara låtar av Ann Lee", ["Ann Lee"]),
            ("limit it to Ann Lee", ["Ann Lee"]), ("stick to songs by Zoë Käfer", ["Zoë Käfer"]),
            ("100% Zoë Käfer", ["Zoë Käfer"]), ("slechts Ann Lee", ["Ann Lee"]), ("jedynie Ann Lee", ["Ann Lee"]),
            ("yalnız Ann Lee", ["Ann Lee"]), ("лишь Ann Lee", ["Ann Lee"]), ("само Ann Lee", ["Ann Lee"]),
            ("tik Ann Lee", ["Ann Lee"]), ("tikai Ann Lee", ["Ann Lee"]), ("ainult Ann Lee", ["Ann Lee"]),
            ("chỉ Ann Lee", ["Ann Lee"]), ("einzig Zoë Käfer", ["Zoë Käfer"]), ("mets que du Ann Lee", ["Ann Lee"]),
            ("je veux que des chansons de Ann Lee", ["Ann Lee"]), ("nient'altro che Ann Lee", ["Ann Lee"]),
            ("только песни группы Beat", ["Beat"]),
            // How many songs, and not whose all songs are.
            ("only one song by Ann Lee", []), ("only 3 songs by Ann Lee", []), ("only a few songs by Zoë Käfer", []),
            ("nur ein paar Lieder von Ann Lee", []), ("don't limit it to Ann Lee", []),
            ("tik tok songs by Ann Lee", []),
            ("sadece Ann Lee", ["Ann Lee"]), ("Ann Lee alone", ["Ann Lee"]), ("only play Zoë Käfer", ["Zoë Käfer"]),
            // Words that are attached to a name.
            ("只要周杰伦的歌", ["周杰伦"]), ("只听周杰伦", ["周杰伦"]), ("我只想听周杰伦和林俊杰的歌", ["周杰伦", "林俊杰"]),
            ("只放 Zoë Käfer 的歌", ["Zoë Käfer"]), ("全部都是林俊杰的歌", ["林俊杰"]), ("周杰伦的歌，不要别的", ["周杰伦"]),
            ("宇多田ヒカルだけ", ["宇多田 ヒカル"]), ("Perfumeのみ", ["Perfume"]), ("Perfumeの明るい曲だけで", ["Perfume"]),
            ("Perfumeと宇多田ヒカルの曲だけ", ["Perfume", "宇多田 ヒカル"]), ("아이유만", ["아이유"]),
            ("아이유 노래만 틀어줘", ["아이유"]), ("아이유와 태연 노래만", ["아이유", "태연"]), ("오직 아이유", ["아이유"]),
            ("不只周杰伦", []), ("只要像周杰伦那样的歌", []), ("只要安静的歌", []), ("周杰伦的歌", []),
            ("Perfumeだけでなく", []), ("Perfumeみたいな曲だけ", []), ("Perfumeの曲だけど", []), ("아이유만 빼고", []),
            ("아이유만큼", []), ("아이유 노래", []), ("只听Perfumes的歌", []),
            // Other words that begin with the letters of a particle.
            ("아이유가 만든 노래", []), ("아이유 만나고 싶은 날", []), ("아이유 노래 만족", []), ("아이유 노래 밖에서 듣기", []),
            ("아이유밖에 없는 목록", ["아이유"]),
            // Other artists are included, or the list is not limited to anybody.
            ("songs by Zoë Käfer", []), ("not only Zoë Käfer", []), ("only songs like those by Zoë Käfer", []),
            ("only Zoë Käfer and similar artists", []), ("I just heard Zoë Käfer", []), ("I only heard Ann Lee", []),
            ("what nobody else plays, and Ann Lee", []), ("play Ann Lee nothing else matters", []), ("only jazz", []),
            ("only songs by women", []), ("only love songs", []),
            ("all songs by Ann Lee and some jazz", []), ("I know every song by Ann Lee", []), ("all love songs", []),
            ("anything but Ann Lee", []), ("without all songs by Ann Lee", []), ("no jazz but Ann Lee", []),
            ("not all songs by Ann Lee", []), ("only upbeat music. Maybe Ann Lee", []), ("", []),
        ] as [(String, [String])])
    func promptsThatNameArtists(prompt: String, names: [String]) {
        #expect(OnlyArtists(prompt, among: Self.known).names == names)
    }

    @Test(
        "Portuguese, whose word for only differs from an English word by an accent",
        arguments: [
            ("só músicas de Ann Lee", ["Ann Lee"]), ("Só Ann Lee", ["Ann Lee"]), ("so\u{301} Ann Lee", ["Ann Lee"]),
            ("só as músicas da Ann Lee", ["Ann Lee"]), ("eu só quero ouvir Ann Lee", ["Ann Lee"]),
            ("só músicas de Ann Lee e Zoë Käfer", ["Ann Lee", "Zoë Käfer"]), ("músicas só dos Otters", []),
            ("músicas só dos The Otters", ["The Otters"]), ("só Ann Lee e mais ninguém", ["Ann Lee"]),
            ("so musicas da Ann Lee", ["Ann Lee"]), ("so quero ouvir Ann Lee", ["Ann Lee"]),
            ("apenas músicas de Ann Lee", ["Ann Lee"]), ("somente o Beat", ["Beat"]), ("Ann Lee apenas", ["Ann Lee"]),
            ("faixas cantadas somente pela Ann Lee", ["Ann Lee"]), ("nada além de Ann Lee", ["Ann Lee"]),
            ("todas as músicas da Ann Lee", ["Ann Lee"]), ("tudo da Ann Lee", ["Ann Lee"]),
            ("não só Ann Lee", []), ("só músicas tipo Ann Lee", []), ("só ouvi Ann Lee ontem", []), ("só jazz", []),
            ("adoro todas as músicas da Ann Lee", []), ("so many songs by Ann Lee", []),
            ("so calm, like songs of Ann Lee", []), ("so I want calm songs by Ann Lee", []),
        ] as [(String, [String])])
    func portuguesePrompts(prompt: String, names: [String]) {
        #expect(OnlyArtists(prompt, among: Self.known).names == names)
    }

    @Test(
        "Hindi, whose particles follow a name",
        arguments: [
            ("केवल अरिजीत सिंह के गाने", ["अरिजीत सिंह"]), ("सिर्फ़ Ann Lee के गाने", ["Ann Lee"]),
            // The dot is a separate letter in the first, and part of the letter in the second.
            ("सिर्फ\u{93C} अरिजीत सिंह", ["अरिजीत सिंह"]), ("सिर्\u{95E} अरिजीत सिंह", ["अरिजीत सिंह"]),
            ("सिर्फ अरिजीत सिंह के गाने", ["अरिजीत सिंह"]), ("मुझे सिर्फ अरिजीत सिंह के गाने सुनने हैं।", ["अरिजीत सिंह"]),
            ("केवल अरिजीत सिंह और कैलाश खेर के गाने", ["अरिजीत सिंह", "कैलाश खेर"]),
            ("बस कैलाश खेर", ["कैलाश खेर"]), ("अरिजीत सिंह के ही गाने", ["अरिजीत सिंह"]),
            ("अरिजीत सिंह के गाने ही चाहिए", ["अरिजीत सिंह"]), ("केवल अरिजीत सिंह के ही गाने", ["अरिजीत सिंह"]),
            ("अरिजीत सिंह और कोई नहीं", ["अरिजीत सिंह"]), ("अरिजीत सिंह के अलावा कोई नहीं", ["अरिजीत सिंह"]),
            ("sirf Ann Lee ke gaane", ["Ann Lee"]), ("केवल अरिजीत सिंह ही नहीं", []), ("न केवल अरिजीत सिंह", []),
            ("सिर्फ़ अरिजीत सिंह के गाने नहीं", []), ("केवल अरिजीत सिंह जैसे गाने", []), ("केवल दुखी गाने", []),
            ("मैंने केवल अरिजीत सिंह को सुना", []), ("अरिजीत सिंह के गाने", []),
        ] as [(String, [String])])
    func hindiPrompts(prompt: String, names: [String]) {
        #expect(OnlyArtists(prompt, among: Self.known).names == names)
    }

    @Test(
        "Thai, which has no spaces between words",
        arguments: [
            ("เฉพาะเพลงของคาราบาว", ["คาราบาว"]), ("เฉพาะเพลงของ Perfume", ["Perfume"]),
            ("เฉพาะเพลงของPerfume", ["Perfume"]),
            ("อยากฟังเฉพาะเพลงของวงคาราบาว", ["คาราบาว"]), ("แต่เพลงของคาราบาว", ["คาราบาว"]),
            ("ขอแต่เพลงของ Ann Lee", ["Ann Lee"]), ("ฟังแต่เพลงของคาราบาวที่เศร้า", ["คาราบาว"]),
            ("แค่เพลงของ Ann Lee", ["Ann Lee"]),
            ("เฉพาะเพลงของศิลปิน Ann Lee", ["Ann Lee"]), ("เพลงของคาราบาวเท่านั้น", ["คาราบาว"]),
            ("Ann Lee เท่านั้น", ["Ann Lee"]),
            ("เพลงของคาราบาวอย่างเดียว", ["คาราบาว"]), ("เฉพาะเพลงของปานและคาราบาว", ["ปาน", "คาราบาว"]),
            ("เฉพาะเพลงของ Ann Lee และ Perfume", ["Ann Lee", "Perfume"]),
            ("ไม่เอาอะไรนอกจากเพลงของ Ann Lee", ["Ann Lee"]),
            // Longer words, other meanings, and lists with other artists.
            ("เฉพาะเพลงปานกลาง", []), ("เฉพาะเพลงเศร้า", []), ("เพลงของคาราบาว", []), ("โดยเฉพาะเพลงของคาราบาว", []),
            ("ไม่ใช่แค่เพลงของคาราบาว", []), ("ไม่ใช่คาราบาวเท่านั้น", []), ("เพลงเศร้า แต่เพลงของคาราบาวก็ได้", []),
            ("เฉพาะเพลงที่เหมือนคาราบาว", []), ("เฉพาะเพลงสไตล์ของคาราบาว", []), ("ไม่อยากฟังแต่เพลงของคาราบาว", []),
        ] as [(String, [String])])
    func thaiPrompts(prompt: String, names: [String]) {
        #expect(OnlyArtists(prompt, among: Self.known).names == names)
    }

    @Test(
        "A name with capitals after a word such as by limits the list, even if nobody known has it",
        arguments: [
            ("only songs by Nobody Known", ["Nobody Known"]), ("Nur Songs by Nobody Known", ["Nobody Known"]),
            ("songs by Nobody Known only", ["Nobody Known"]), ("only songs by Nobody Known, please", ["Nobody Known"]),
            ("all songs should be by Nobody Known", ["Nobody Known"]),
            ("only songs by “nobody known”", ["nobody known"]),
            ("only songs by The Nobodies for the road", ["The Nobodies"]), ("bara låtar av Ingen", ["Ingen"]),
            ("only songs by Nobody Known. Something calm", ["Nobody Known"]),
            ("only songs by St. Nobody", ["St Nobody"]),
            ("nothing but songs by Nobody Known", ["Nobody Known"]),
            ("songs by Nobody Known, nobody else", ["Nobody Known"]),
            // Part of a name.
            ("only songs by Käfer", ["Zoë Käfer"]), ("only songs by Zoë Käfer and Nobody Known", ["Zoë Käfer"]),
            // Descriptions, and wishes that do not limit the list.
            ("only songs by Swedish women", []), ("only songs by women", []), ("only songs by nobody known", []),
            ("only songs from Sweden", []), ("nur Lieder von Frauen", []), ("Only Songs By Women", []),
            ("only songs by Panic! At The Otters", []), ("songs by Nobody Known", []), ("only Nobody Known", []),
            ("only songs like those by Nobody Known", []), ("not only songs by Nobody Known", []),
        ] as [(String, [String])])
    func capitalizedNames(prompt: String, names: [String]) {
        let only = OnlyArtists(prompt, among: Self.known)
        #expect(only.names == names)
        #expect(only.areUnknown == (!names.isEmpty && !names.contains("Zoë Käfer")))
    }

    @Test(
        "What may be the name of an artist who is not known is a description",
        arguments: [
            ("only Radiohead", "Radiohead"), ("nur Kraftwerk", "Kraftwerk"), ("Only Radiohead", "Radiohead"),
            ("only jazz", "jazz"), ("only songs by women", "women"), ("only songs by silly otters", "silly otters"),
            ("only songs from Sweden", "Sweden"), ("just Radiohead, please", "Radiohead"),
            ("Radiohead and nobody else", "Radiohead"),
            ("just relax", nil), ("only happy songs", nil), ("only songs by Zoë Käfer", nil),
            ("only songs by Nobody Known", nil), ("not only Radiohead", nil), ("Radiohead", nil), ("", nil),
        ] as [(String, String?)])
    func ambiguousNames(prompt: String, name: String?) {
        #expect(OnlyArtists(prompt, among: Self.known).ambiguous == name)
    }

    /// A list that is made with a model's answer or without one, and what it says about its length.
    private func list(
        _ prompt: String, size: Int, with answer: String?
    ) async throws -> (artists: [String], shortfall: String?, note: String?) {
        try await withDatabase { database, _ in
            let library = (0..<30).map { CurationSamples.song($0, artist: $0 < 8 ? "Zoë Käfer" : "Band \($0)") }
            let context = CurationContext(candidates: library)
            let request = CurationSamples.request(prompt, size: size)
            let run = CurationRun(
                "unused", userID: "ada", database: database, context: { _, _ in context },
                model: { throw CurationRun.NoModel("There is none.") }, catalog: { nil }, checkpoint: { _ in })
            var list = try await database.write { transaction in
                try transaction.curation.begin(request, title: "Only", userID: "ada", cost: nil, now: .now())
            }
            list.answer = answer.flatMap { ModelAnswer($0)?.bound(to: library) }
            let finished = run.finished(list, SongRanking(request, context), context)
            list.state = .complete
            return (
                finished.tracks.map(\.artist), list.shortfall(of: finished.tracks), list.promptNote(on: finished.tracks)
            )
        }
    }

    @Test(
        "Such a list has nobody else's songs, with a model and without, and a shorter list says why",
        arguments: [nil, #"{"songs":[20,21,22,1,2,23]}"#])
    func listHasNobodyElse(answer: String?) async throws {
        let whole = try await list("only songs by Zoë Käfer", size: 8, with: answer)
        #expect(whole.artists == Array(repeating: "Zoë Käfer", count: 8) && whole.shortfall == nil)
        let short = try await list("only songs by Zoë Käfer", size: 20, with: answer)
        #expect(short.artists == Array(repeating: "Zoë Käfer", count: 8))
        #expect(short.shortfall?.contains("8 of the 20 songs") == true)
        #expect(short.shortfall?.contains("only for songs by Zoë Käfer") == true)
        // Without the word, an artist has at most half of the list.
        let mixed = try await list("songs by Zoë Käfer", size: 8, with: answer)
        #expect(mixed.artists.count { $0 == "Zoë Käfer" } <= 4 && mixed.shortfall == nil)
    }

    @Test(
        "A list for an artist of whom there are no songs has none and says why, with a model and without",
        arguments: [nil, #"{"songs":[20,21,22,1,2,23]}"#])
    func artistWithoutSongs(answer: String?) async throws {
        let empty = try await list("only songs by Nobody Known", size: 8, with: answer)
        #expect(empty.artists.isEmpty && empty.note == nil)
        let shortfall = try #require(empty.shortfall)
        #expect(
            shortfall.hasPrefix("It has 0 of the 8 songs that you asked for: ") && shortfall.contains("“Nobody Known”"))
        // The words are no artist's name here, and the list says how it took them.
        let described = try await list("only Radiohead", size: 8, with: answer)
        #expect(described.artists.count == 8 && described.shortfall == nil)
        #expect(
            described.note == "No artist named “Radiohead” was found, so this was read as a description of the songs.")
        let known = try await list("only Zoë Käfer", size: 8, with: answer)
        #expect(known.note == nil)
    }

    @Test("A list with fewer songs than were asked for says so")
    func shorterList() async throws {
        let short = try await list("calm", size: 40, with: nil)
        let count = short.artists.count
        #expect(
            count < 40 && short.shortfall == "It has \(count) of the 40 songs that you asked for: no other song fits.")
    }
}
