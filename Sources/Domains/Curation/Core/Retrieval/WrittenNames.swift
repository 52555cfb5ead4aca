import Model

/// What a prompt writes like names, whether anybody has them: `Nobody Known` in `only songs by Nobody Known`.
enum WrittenNames {
    /// A word of a clause, as it was written.
    private struct Part {
        /// Without the punctuation around it.
        let text: String
        let word: String
        let isCapitalized: Bool
        /// Whether a comma or another mark follows.
        let isLast: Bool
    }

    /// Names after a word such as `by`, with capitals or in quotation marks. Nothing else can be meant by them.
    static func afterBy(in clause: Substring) -> [String] {
        // The mark may belong to the name: `Panic! At The Disco`.
        guard !"!?".contains(clause.last ?? " ") else { return [] }
        let parts = parts(of: clause)
        return runs(of: parts).compactMap { run in
            var start = run.lowerBound
            while start > 0, OnlyWords.beforeNames.contains(parts[start - 1].word) { start -= 1 }
            guard start > 0, OnlyWords.byArtist.contains(parts[start - 1].word), !parts[start - 1].isCapitalized,
                run.upperBound == parts.count || parts[run.upperBound - 1].isLast
                    || OnlyWords.afterNames.contains(parts[run.upperBound].word)
                    || OnlyWords.only.contains(parts[run.upperBound].word)
            else { return nil }
            return name(parts[run])
        }
    }

    /// Whatever may be a name: words with capitals, and the last words of a clause after one that means "only", or after
    /// `by`.
    static func possible(in clause: Substring) -> [String] {
        let parts = parts(of: clause)
        var found = runs(of: parts).compactMap { run in
            let rest = parts[run].drop { isNoName($0.word) }
            return rest.isEmpty ? nil : name(rest)
        }
        for position in parts.indices {
            let (word, rest) = (parts[position].word, parts[(position + 1)...])
            let isOnly = OnlyWords.only.contains(word) && !OnlyWords.casual.contains(word) && rest.count <= 2
            guard isOnly || OnlyWords.byArtist.contains(word) && rest.count <= 3, !rest.isEmpty,
                !rest.contains(where: { isNoName($0.word) })
            else { continue }
            found.append(name(rest))
        }
        return found
    }

    private static func isNoName(_ word: String) -> Bool {
        OnlyWords.only.contains(word) || OnlyWords.every.contains(word) || OnlyWords.nothing.contains(word)
            || OnlyWords.songs.contains(word) || OnlyWords.hearing.contains(word) || OnlyWords.by.contains(word)
    }

    private static func name(_ parts: ArraySlice<Part>) -> String { parts.map(\.text).joined(separator: " ") }

    private static func parts(of clause: Substring) -> [Part] {
        var isQuoted = false
        return clause.split(whereSeparator: \.isWhitespace).compactMap { part in
            let opens = part.first.map { "\"“„«".contains($0) } ?? false
            if opens { isQuoted = true }
            defer { if part.dropFirst(opens ? 1 : 0).contains(where: { "\"”“»".contains($0) }) { isQuoted = false } }
            let start = part.drop { !isOfName($0) }
            let text = start.reversed().drop { !isOfName($0) }.reversed()
            guard let first = text.first else {
                return part == "&" ? Part(text: "&", word: "and", isCapitalized: false, isLast: false) : nil
            }
            let isAbbreviated =
                start.dropFirst(text.count) == "." && OnlyWords.isAbbreviation(String(text).lowercased())
            return Part(
                text: String(text), word: FoldedText.words(of: String(text)).joined(separator: " "),
                isCapitalized: isQuoted || first.isUppercase, isLast: start.count > text.count && !isAbbreviated)
        }
    }

    private static func isOfName(_ character: Character) -> Bool { character.isLetter || character.isNumber }

    /// Words with capitals that follow one another, also with a word such as `and` or `the` between them.
    private static func runs(of parts: [Part]) -> [Range<Int>] {
        var (found, position) = ([Range<Int>](), 0)
        while position < parts.count {
            guard parts[position].isCapitalized else {
                position += 1
                continue
            }
            var end = position + 1
            while end < parts.count, !parts[end - 1].isLast {
                let isBetween = OnlyWords.joining.contains(parts[end].word) || parts[end].word == "the"
                if parts[end].isCapitalized {
                    end += 1
                } else if isBetween, end + 1 < parts.count, parts[end + 1].isCapitalized {
                    end += 2
                } else {
                    break
                }
            }
            found.append(position..<end)
            position = end
        }
        return found
    }
}
