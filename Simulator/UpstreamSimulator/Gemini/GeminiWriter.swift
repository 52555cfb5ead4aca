import Foundation

/// Writes the answers of a simulated model. The same question always gets the same answer.
struct GeminiWriter: Sendable {
    let question: GeminiQuestion
    let behaviour: GeminiBehavior
    let model: GeminiModel
    let catalog: RecordingCatalog

    /// The tokens that thinking models use before they write.
    private static let thoughts = 200

    /// The text alone, cut off if there is no room, and whether it is complete.
    var completion: (text: String, isWhole: Bool) {
        var random = SeededGenerator(seed: 1, stream: question.text)
        let text = text(&random)
        if behaviour == .brokenJSON { return (String(text.prefix(text.count / 2)), true) }
        let most = question.maxOutputTokens * 4
        return text.utf8.count > most || behaviour == .maxTokens
            ? (String(text.prefix(min(most, text.count / 2))), false) : (text, true)
    }

    var answer: String {
        var random = SeededGenerator(seed: 1, stream: question.text)
        let text = text(&random)
        let thoughts = model.thinking ? Self.thoughts : 0
        let tokens = max(1, text.utf8.count / 4)
        let room = question.maxOutputTokens - thoughts
        var json = JSONWriter()
        json.object { json in
            switch behaviour {
            case .promptBlocked: json.object("promptFeedback") { $0.string("blockReason", "PROHIBITED_CONTENT") }
            case .noCandidates: json.array("candidates") { _ in }
            case .safety: candidate(&json, "SAFETY", parts: nil)
            case .recitation: candidate(&json, "RECITATION", parts: nil)
            case .other: candidate(&json, "OTHER", parts: nil, message: "Internal error encountered.")
            case .newReason: candidate(&json, "LISTENER_IS_TIRED", parts: nil)
            case .onlyThoughts: candidate(&json, "MAX_TOKENS", parts: nil)
            case .maxTokens: candidate(&json, "MAX_TOKENS", parts: [(String(text.prefix(text.count / 2)), false)])
            case .brokenJSON: candidate(&json, "STOP", parts: [(String(text.prefix(text.count / 2)), false)])
            case .split:
                let middle = text.index(text.startIndex, offsetBy: text.count / 2)
                candidate(
                    &json, "STOP",
                    parts: [
                        ("Let me think about {these} songs.", true), (String(text[..<middle]), false),
                        ("Almost done.", true), (String(text[middle...]), false),
                    ])
            case _ where room < 1: candidate(&json, "MAX_TOKENS", parts: nil)
            case _ where tokens > room:
                candidate(&json, "MAX_TOKENS", parts: [(String(text.prefix(room * 4)), false)])
            default: candidate(&json, "STOP", parts: [(text, false)])
            }
            writeUsage(&json, answered: min(tokens, max(0, room)), thoughts: thoughts)
            json.string("modelVersion", model.id)
            json.string("responseId", String(random.next(), radix: 36))
        }
        return json.text
    }

    private func writeUsage(_ json: inout JSONWriter, answered: Int, thoughts: Int) {
        let (answered, thoughts): (Int?, Int) =
            switch behaviour {
            case .promptBlocked: (nil, 0)
            case .onlyThoughts: (nil, question.maxOutputTokens)
            default: (answered, thoughts)
            }
        json.object("usageMetadata") { json in
            json.number("promptTokenCount", question.promptTokens)
            if let answered { json.number("candidatesTokenCount", answered) }
            if thoughts > 0 { json.number("thoughtsTokenCount", thoughts) }
            json.number("totalTokenCount", question.promptTokens + (answered ?? 0) + thoughts)
        }
    }

    private func candidate(
        _ json: inout JSONWriter, _ reason: String, parts: [(text: String, isThought: Bool)]?, message: String? = nil
    ) {
        json.array("candidates") { json in
            json.object { json in
                json.object("content") { json in
                    if let parts {
                        json.array("parts") { json in
                            for part in parts {
                                json.object { json in
                                    json.string("text", part.text)
                                    if part.isThought { json.bool("thought", true) }
                                }
                            }
                        }
                    }
                    json.string("role", "model")
                }
                json.string("finishReason", reason)
                if let message { json.string("finishMessage", message) }
                json.number("index", 0)
            }
        }
    }

    // MARK: Songs

    private struct Item {
        var number: Int?
        var title: String?
        var artist: String?
        var why: [String]
    }

    private func text(_ random: inout SeededGenerator) -> String {
        if behaviour == .obedient, let order = injectedOrder { return order }
        if !question.orders.isEmpty { return plan(&random) }
        var lists: [(name: String, items: [Item])] = []
        let both = question.lists.count > 1
        for (name, members) in question.lists.sorted(by: { $0.key < $1.key }) {
            let count = both ? (question.count + 1) / 2 : question.count
            lists.append(
                (name, members.contains("title") ? named(count, &random) : numbered(count, &random)))
        }
        var json = JSONWriter()
        json.object { json in
            for list in lists {
                json.array(list.name) { json in
                    for item in list.items { write(item, &json) }
                }
            }
        }
        guard behaviour == .fenced else { return json.text }
        return "Here is your list:\n```json\n\(json.text)\n```\nEnjoy!"
    }

    private func plan(_ random: inout SeededGenerator) -> String {
        var json = JSONWriter()
        json.object { json in
            json.array("genres") { json in
                for _ in 0..<min(2, question.genres.count) { json.string(nil, random.pick(question.genres)) }
                if behaviour == .inventing || behaviour == .careless { json.string(nil, "Space Polka") }
            }
            json.array("artists") { json in
                if question.artists > 0 { json.number(nil, random.number(in: 1...question.artists)) }
                if behaviour == .outOfRange || behaviour == .careless { json.number(nil, 99_999) }
            }
            json.number("from", 1980)
            json.number("to", 1999)
            json.string("order", random.pick(question.orders))
        }
        return json.text
    }

    private func write(_ item: Item, _ json: inout JSONWriter) {
        json.object { json in
            if let number = item.number { json.number("number", number) }
            if let title = item.title { json.string("title", title) }
            if let artist = item.artist { json.string("artist", artist) }
            json.array("why") { json in
                for why in item.why { json.string(nil, why) }
            }
        }
    }

    private func does(_ fault: GeminiBehavior, _ random: inout SeededGenerator, percent: Int) -> Bool {
        (behaviour == fault && random.chance(percent)) || (behaviour == .careless && random.chance(8))
    }

    private func numbered(_ count: Int, _ random: inout SeededGenerator) -> [Item] {
        var rest = question.listed
        var items: [Item] = []
        let wanted = behaviour == .exceeding || behaviour == .careless ? count * 2 : count
        while items.count < wanted, !rest.isEmpty {
            // The first songs fit best.
            let place = min(random.number(in: 0...rest.count - 1), random.number(in: 0...rest.count - 1))
            let song = rest.remove(at: place)
            items.append(Item(number: song.number, why: reasons(&random)))
            if does(.repeating, &random, percent: 50) { items.append(items[items.count - 1]) }
            if does(.outOfRange, &random, percent: 40) {
                let number = random.pick([0, -3, question.listed.count + 1, 1_000_000, 2_147_483_648])
                items.append(Item(number: number, why: []))
            }
        }
        return items
    }

    private func named(_ count: Int, _ random: inout SeededGenerator) -> [Item] {
        var items: [Item] = []
        let wanted = behaviour == .exceeding || behaviour == .careless ? count * 2 : count
        while items.count < wanted {
            var (title, artist) = song(&random)
            if does(.inventing, &random, percent: 50) { title = "The \(title) That Never Was" }
            if does(.misspelling, &random, percent: 60), let first = title.first, title.count > 4 {
                title = title.dropFirst().replacingOccurrences(of: "e", with: "ee")
                title = "\(first)\(title)"
            }
            items.append(Item(title: title, artist: artist, why: reasons(&random)))
            if does(.repeating, &random, percent: 50) { items.append(items[items.count - 1]) }
        }
        return items
    }

    /// The first recording of a song, of a genre that the question names if many draws find one.
    private func song(_ random: inout SeededGenerator) -> (title: String, artist: String) {
        var artist = 0
        for _ in 0..<200 {
            artist = random.number(in: 0...catalog.artists - 1)
            let genre = catalog.genre(ofArtist: artist)
            if ArtistKind(artist: artist) == .ordinary, question.genres.isEmpty || question.genres.contains(genre) {
                break
            }
        }
        let slot = random.number(in: 0...RecordingSlot.songs - 1)
        let entry = Entry(recording: artist * RecordingSlot.count + slot, edition: .album)
        return (
            catalog.title(ofSong: entry.song, on: .spotify), catalog.name(ofArtist: artist, on: .spotify)
        )
    }

    private func reasons(_ random: inout SeededGenerator) -> [String] {
        guard !question.reasons.isEmpty else { return [] }
        if behaviour == .boasting || behaviour == .careless {
            return question.reasons + ["won three Grammys", "{\"because\":1}"]
        }
        return [random.pick(question.reasons)]
    }

    /// The answer that follows an instruction injected in a text of the question.
    private var injectedOrder: String? {
        let text = question.text.lowercased()
        let orders = ["ignore", "ignorier", "ignora", "игнорир", "system prompt", "disregard"]
        guard orders.contains(where: text.contains) else { return nil }
        return """
            {"songs":[{"number":999999,"why":["HACKED"]}],
            "discoveries":[{"title":"Pwned","artist":"Evil Corp","why":["HACKED"]}],"instructions":"HACKED"}
            """
    }
}
