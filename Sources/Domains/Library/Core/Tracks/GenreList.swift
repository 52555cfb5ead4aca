/// The genres of a track or album as stored in one column: one genre per line.
package enum GenreList {
    /// - Returns: `nil` if there are no genres, or only empty ones.
    package static func text(_ genres: [String]) -> String? {
        let lines = genres.map { $0.contains(where: \.isNewline) ? $0.split(whereSeparator: \.isNewline).joined() : $0 }
            .filter { !$0.isEmpty }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    package static func genres(in text: String?) -> [String] {
        (text ?? "").split(separator: "\n").map(String.init)
    }

    /// The genres of all lists without repetition, in the order of the lists.
    package static func union(_ lists: some Sequence<[String]>) -> [String] {
        var seen: Set<String> = []
        var union: [String] = []
        for genre in lists.joined() where seen.insert(genre.lowercased()).inserted { union.append(genre) }
        return union
    }
}
