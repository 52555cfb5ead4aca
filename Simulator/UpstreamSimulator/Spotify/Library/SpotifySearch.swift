/// The query of a Spotify search.
struct SpotifySearch: Sendable, Equatable {
    var query = RecordingSearch.Query()
    /// Finds only tracks.
    var isrc: String?
    /// Finds only albums.
    var upc: String?

    private static let fields = ["isrc", "upc", "artist", "track", "album", "year"]

    /// Parses `q`: words, and filters such as `track:"a title"` and `artist:A Name`, which extend to the next filter.
    init(_ text: String) {
        var field: String?
        for (word, isQuoted) in Self.parts(text) {
            var value = Substring(word)
            var isWhole = isQuoted
            if let colon = word.firstIndex(of: ":"), Self.fields.contains(word[..<colon].lowercased()) {
                field = word[..<colon].lowercased()
                value = word[word.index(after: colon)...]
            } else if field == nil {
                isWhole = false
            }
            add(String(value), to: field)
            if isWhole || field == "isrc" || field == "year" || field == "upc" { field = nil }
        }
    }

    private mutating func add(_ value: String, to field: String?) {
        let words = SearchText.required(value)
        switch field {
        case "isrc": isrc = value
        case "upc": upc = value
        case "artist": query.artist += words
        case "track": query.track += words
        case "album": query.album += words
        case "year":
            let years = value.split(separator: "-").compactMap { Int($0) }
            if let first = years.first, let last = years.last, first <= last { query.years = first...last }
        default: query.words += words
        }
    }

    /// The parts between blanks; quotes keep a part together.
    private static func parts(_ text: String) -> [(text: String, isQuoted: Bool)] {
        var parts: [(text: String, isQuoted: Bool)] = []
        var current = ""
        var wasQuoted = false
        var isInside = false
        for character in text {
            if character == "\"" {
                isInside.toggle()
                wasQuoted = true
            } else if character.isWhitespace, !isInside {
                if !current.isEmpty { parts.append((current, wasQuoted)) }
                current = ""
                wasQuoted = false
            } else {
                current.append(character)
            }
        }
        if !current.isEmpty { parts.append((current, wasQuoted)) }
        return parts
    }
}
