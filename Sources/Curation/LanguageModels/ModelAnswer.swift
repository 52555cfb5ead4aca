import Foundation
import Model

/// What a model names, as far as it can be read. Whether it is true is another question.
package struct ModelAnswer: Codable, Sendable, Hashable {
    /// A candidate.
    struct Numbered: Codable, Sendable, Hashable {
        var number: Int
        var why: [SongEvidence.Kind]
        /// The song that had the number when the model was asked; `nil` for a number that none had.
        var reference: String?
    }

    /// A song by its names.
    struct Named: Codable, Sendable, Hashable {
        var title: String
        var artist: String
        var why: [SongEvidence.Kind]
    }

    var songs: [Numbered] = []
    var discoveries: [Named] = []
    /// Instead of songs, for long lists.
    var plan: CurationPlan?

    /// The most songs that are looked at, whatever a model writes.
    private static let mostSongs = 300
    private static let longestText = 300

    /// Reads an answer as if no schema had been asked for: models put JSON into code fences, text around it, and numbers
    /// into quotes. An item that cannot be read is left out.
    ///
    /// - Returns: `nil` for a text without a JSON object, or whose object has neither list.
    package init?(_ text: String) {
        guard let object = Self.outermostObject(in: text) else { return nil }
        let (numbers, names) = (object["songs"] as? [Any], object["discoveries"] as? [Any])
        guard numbers != nil || names != nil else { return nil }
        for item in (numbers ?? []).prefix(Self.mostSongs) {
            guard let number = Self.number(item) ?? (item as? [String: Any]).flatMap({ Self.number($0["number"]) })
            else { continue }
            songs.append(Numbered(number: number, why: Self.kinds(in: item)))
        }
        for item in (names ?? []).prefix(Self.mostSongs) {
            guard let song = item as? [String: Any], let title = Self.text(song["title"]),
                let artist = Self.text(song["artist"])
            else { continue }
            discoveries.append(Named(title: title, artist: artist, why: Self.kinds(in: item)))
        }
    }

    /// Notes which songs the numbers meant, since the candidates of a later run may be others.
    ///
    /// - Parameter candidates: those of the question, in its order.
    func bound(to candidates: some Collection<CandidateSong>) -> ModelAnswer {
        let references = candidates.map(\.reference)
        var answer = self
        for index in answer.songs.indices {
            // An answer of an earlier release may have any number, so it is compared before it is calculated with.
            let number = answer.songs[index].number
            let isListed = number >= 1 && number <= references.count
            answer.songs[index].reference = isListed ? references[number - 1] : nil
        }
        return answer
    }

    /// Reads an answer to a question for a plan, likewise.
    init?(planIn text: String, genres: [String], artists: [String]) {
        guard let object = Self.outermostObject(in: text),
            let plan = CurationPlan(object, genres: genres, artists: artists)
        else { return nil }
        self.plan = plan
    }

    private static func outermostObject(in text: String) -> [String: Any]? {
        // Thinking may come before the answer, with braces of its own.
        var text = text[...]
        if let end = text.range(of: "</think>", options: .backwards) { text = text[end.upperBound...] }
        guard let start = text.firstIndex(of: "{"), let end = text.lastIndex(of: "}"), start < end else { return nil }
        return (try? JSONSerialization.jsonObject(with: Data(text[start...end].utf8))) as? [String: Any]
    }

    /// Of candidates and years, and what a model may confuse with them: each is a `Double`, too, and may be counted from.
    private static let numbers = -1_000_000_000_000...1_000_000_000_000

    static func number(_ value: Any?) -> Int? {
        if let text = value as? String { return Int(decimal: text, in: numbers) }
        guard let number = value as? NSNumber else { return nil }
        return Int(number.doubleValue, in: numbers)
    }

    private static func text(_ value: Any?) -> String? {
        guard let text = value as? String else { return nil }
        let cleaned = PromptText.cleaned(text, limit: longestText)
        return cleaned.isEmpty ? nil : cleaned
    }

    private static func kinds(in item: Any) -> [SongEvidence.Kind] {
        let named = (item as? [String: Any])?["why"] as? [Any] ?? []
        return named.prefix(8).compactMap { ($0 as? String).flatMap { SongEvidence.Kind(rawValue: $0) } }
    }
}
