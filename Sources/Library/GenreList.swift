/// The genres of a track or album as one column stores them: one a line.
package enum GenreList {
    /// - Returns: `nil` for no genres, and for empty ones alone.
    package static func text(_ genres: [String]) -> String? {
        let lines = genres.map { $0.contains(where: \.isNewline) ? $0.split(whereSeparator: \.isNewline).joined() : $0 }
            .filter { !$0.isEmpty }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    package static func genres(in text: String?) -> [String] {
        (text ?? "").split(separator: "\n").map(String.init)
    }

    /// The genres of all lists, each once, in the order of the lists.
    static func union(_ lists: some Sequence<[String]>) -> [String] {
        var seen: Set<String> = []
        var union: [String] = []
        for genre in lists.joined() where seen.insert(genre.lowercased()).inserted { union.append(genre) }
        return union
    }
}
