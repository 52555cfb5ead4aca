import Model

/// Reads a song in the forms that models write.
enum ModelSong {
    private static let longestText = 300

    /// The member names that models use for a candidate's number.
    private static let numberNames = [
        "number", "no", "nr", "num", "song_no", "track_no", "candidate_no", "n", "#", "id", "index", "song_number",
        "songnumber", "song_id", "songid",
        "track_number", "tracknumber", "track_id", "trackid", "candidate_number", "candidate_id", "candidate",
    ]
    private static let titleNames = ["title", "name", "song", "track", "song_title", "track_name", "songtitle"]
    private static let artistNames = ["artist", "artists", "artist_name", "artistname", "by", "performer", "band"]
    private static let whyNames = ["why", "reason", "reasons"]

    /// Whether a value is a song even where no list of songs is expected: it has a title and an artist, or a number
    /// with a name.
    static func isOne(_ value: ModelValue) -> Bool {
        switch value {
        case .object: numbered(value) != nil || named(value) != nil
        // The form in which candidates are sent: `[3, "Title", "Artist"]`.
        case .list(let items): items.count > 1 && items[0].whole != nil && items[1].text != nil
        default: false
        }
    }

    static func numbered(_ item: ModelValue) -> ModelAnswer.NumberedCandidate? {
        number(of: item).map { ModelAnswer.NumberedCandidate(number: $0, why: kinds(in: item)) }
    }

    private static func number(of item: ModelValue) -> Int? {
        if let number = plainNumber(item) { return number }
        if let items = item.items {
            // If there are several numbers, each would be a song.
            return items.count == 1 || items.dropFirst().first?.text != nil ? items.first?.whole : nil
        }
        guard let members = item.members else { return nil }
        if let number = number(in: members) { return number }
        // `{"song": 3}`, `{"song": {"number": 3}}`. Next to an artist the number is a title, such as "1999".
        guard !artistNames.contains(where: { members[$0] != nil }) else { return nil }
        for name in ["song", "track", "candidate"] {
            guard let inner = members[name] else { continue }
            if let number = plainNumber(inner) { return number }
            if let members = inner.members, let number = number(in: members) { return number }
        }
        return nil
    }

    private static func number(in members: [String: ModelValue]) -> Int? {
        for name in numberNames {
            if let value = members[name], let number = plainNumber(value) { return number }
        }
        return nil
    }

    /// Reads `3`, `"3"`, `"#3"`, `"3."`, and the number before a name, as in `"3. Title"`.
    private static func plainNumber(_ value: ModelValue) -> Int? {
        if let number = value.whole { return number }
        guard let text = value.text else { return nil }
        let start = text.drop { $0.isWhitespace || $0 == "#" || $0 == "[" || $0 == "(" }
        let digits = start.prefix { $0.isASCII && $0.isNumber }
        let rest = start.dropFirst(digits.count)
        guard !digits.isEmpty, rest.isEmpty || ".):]".contains(rest.first ?? " ") else { return nil }
        // "7.5" is not the number of a song.
        guard !(rest.dropFirst().first?.isNumber ?? false) else { return nil }
        return ModelValue.text(String(digits)).whole
    }

    static func named(_ item: ModelValue) -> ModelAnswer.NamedSong? {
        guard let members = item.members, let title = text(titleNames, in: members),
            let artist = text(artistNames, in: members)
        else { return nil }
        return ModelAnswer.NamedSong(title: title, artist: artist, why: kinds(in: item))
    }

    private static func text(_ names: [String], in members: [String: ModelValue]) -> String? {
        for name in names {
            let value = members[name]?.items?.first ?? members[name]
            guard let text = value?.text ?? value?.members?["name"]?.text else { continue }
            let cleaned = PromptText.cleaned(text, limit: longestText)
            if !cleaned.isEmpty { return cleaned }
        }
        return nil
    }

    // MARK: Reasons

    private static let kindsByName = Dictionary(
        SongEvidence.Kind.offered.map { ($0.rawValue.lowercased(), $0) }
    ) { first, _ in first }

    private static func kinds(in item: ModelValue) -> [SongEvidence.Kind] {
        let why = whyNames.lazy.compactMap { item.members?[$0] }.first
        return (why?.items ?? why.map { [$0] } ?? []).prefix(8).compactMap { value in
            value.text.flatMap { kindsByName[$0.lowercased()] }
        }
    }
}
