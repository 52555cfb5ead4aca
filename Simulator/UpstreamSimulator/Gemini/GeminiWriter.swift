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

    var document: GeminiGenerationDocument {
        typealias Candidate = GeminiGenerationDocument.Candidate
        typealias Part = GeminiGenerationDocument.Part
        var random = SeededGenerator(seed: 1, stream: question.text)
        let text = text(&random)
        let thoughts = model.thinking ? Self.thoughts : 0
        let tokens = max(1, text.utf8.count / 4)
        let room = question.maxOutputTokens - thoughts
        let half = Part(text.prefix(text.count / 2))
        let candidates: [Candidate]? =
            switch behaviour {
            case .promptBlocked: nil
            case .noCandidates: []
            case .safety: [Candidate("SAFETY")]
            case .recitation: [Candidate("RECITATION")]
            case .other: [Candidate("OTHER", message: "Internal error encountered.")]
            case .newReason: [Candidate("LISTENER_IS_TIRED")]
            case .onlyThoughts: [Candidate("MAX_TOKENS")]
            case .maxTokens: [Candidate("MAX_TOKENS", parts: [half])]
            case .brokenJSON: [Candidate("STOP", parts: [half])]
            case .split:
                [
                    Candidate(
                        "STOP",
                        parts: [
                            Part("Let me think about {these} songs.", isThought: true), half,
                            Part("Almost done.", isThought: true), Part(text.dropFirst(text.count / 2)),
                        ])
                ]
            case _ where room < 1: [Candidate("MAX_TOKENS")]
            case _ where tokens > room: [Candidate("MAX_TOKENS", parts: [Part(text.prefix(room * 4))])]
            default: [Candidate("STOP", parts: [Part(text)])]
            }
        return GeminiGenerationDocument(
            promptFeedback: behaviour == .promptBlocked ? .init(blockReason: "PROHIBITED_CONTENT") : nil,
            candidates: candidates, usageMetadata: usage(answered: min(tokens, max(0, room)), thoughts: thoughts),
            modelVersion: model.id, responseId: String(random.next(), radix: 36))
    }

    private func usage(answered: Int, thoughts: Int) -> GeminiGenerationDocument.Usage {
        switch behaviour {
        case .promptBlocked: .init(prompt: question.promptTokens, candidates: nil, thoughts: 0)
        case .onlyThoughts:
            .init(prompt: question.promptTokens, candidates: nil, thoughts: question.maxOutputTokens)
        default: .init(prompt: question.promptTokens, candidates: answered, thoughts: thoughts)
        }
    }

    // MARK: Songs

    private func text(_ random: inout SeededGenerator) -> String {
        if behaviour == .obedient, let order = injectedOrder { return order }
        if !question.orders.isEmpty { return DocumentEncoder.text(of: plan(&random)) }
        var lists: [(name: String, value: [GeneratedSongDocument])] = []
        let both = question.lists.count > 1
        for (name, members) in question.lists.sorted(by: { $0.key < $1.key }) {
            let count = both ? (question.count + 1) / 2 : question.count
            lists.append(
                (name, members.contains("title") ? named(count, &random) : numbered(count, &random)))
        }
        let text = DocumentEncoder.text(of: NamedMembers(members: lists))
        guard behaviour == .fenced else { return text }
        return "Here is your list:\n```json\n\(text)\n```\nEnjoy!"
    }

    private func plan(_ random: inout SeededGenerator) -> GeneratedPlanDocument {
        var genres = (0..<min(2, question.genres.count)).map { _ in random.pick(question.genres) }
        if behaviour == .inventing || behaviour == .careless { genres.append("Space Polka") }
        var artists: [Int] = []
        if question.artists > 0 { artists.append(random.number(in: 1...question.artists)) }
        if behaviour == .outOfRange || behaviour == .careless { artists.append(99_999) }
        return GeneratedPlanDocument(genres: genres, artists: artists, order: random.pick(question.orders))
    }

    private func does(_ fault: GeminiBehavior, _ random: inout SeededGenerator, percent: Int) -> Bool {
        (behaviour == fault && random.chance(percent)) || (behaviour == .careless && random.chance(8))
    }

    private func numbered(_ count: Int, _ random: inout SeededGenerator) -> [GeneratedSongDocument] {
        var rest = question.listed
        var items: [GeneratedSongDocument] = []
        let wanted = behaviour == .exceeding || behaviour == .careless ? count * 2 : count
        while items.count < wanted, !rest.isEmpty {
            // The first songs fit best.
            let place = min(random.number(in: 0...rest.count - 1), random.number(in: 0...rest.count - 1))
            let song = rest.remove(at: place)
            items.append(GeneratedSongDocument(number: song.number, why: reasons(&random)))
            if does(.repeating, &random, percent: 50) { items.append(items[items.count - 1]) }
            if does(.outOfRange, &random, percent: 40) {
                let number = random.pick([0, -3, question.listed.count + 1, 1_000_000, 2_147_483_648])
                items.append(GeneratedSongDocument(number: number, why: []))
            }
        }
        return items
    }

    private func named(_ count: Int, _ random: inout SeededGenerator) -> [GeneratedSongDocument] {
        var items: [GeneratedSongDocument] = []
        let wanted = behaviour == .exceeding || behaviour == .careless ? count * 2 : count
        while items.count < wanted {
            var (title, artist) = song(&random)
            if does(.inventing, &random, percent: 50) { title = "The \(title) That Never Was" }
            if does(.misspelling, &random, percent: 60), let first = title.first, title.count > 4 {
                title = title.dropFirst().replacingOccurrences(of: "e", with: "ee")
                title = "\(first)\(title)"
            }
            items.append(GeneratedSongDocument(title: title, artist: artist, why: reasons(&random)))
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

    /// The answer that follows an instruction injected in a text of the question. It is a text, not a document: such an
    /// instruction dictates every character, whatever the schema says.
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
