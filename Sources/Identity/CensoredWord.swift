/// Words that some services censor with asterisks, and others write in full.
enum CensoredWord {
    /// Replaces `f**k` and the like with the word that is meant, if it is known. `S ** t` is recognized, too.
    ///
    /// - Parameter scalars: folded text.
    static func replace(in scalars: inout [Unicode.Scalar]) {
        guard scalars.contains("*") else { return }
        var index = 0
        while index < scalars.count {
            guard scalars[index] == "*" else {
                index += 1
                continue
            }
            var end = index
            while end < scalars.count, scalars[end] == "*" { end += 1 }
            let before = letters(scalars, from: index - 1, step: -1)
            let after = letters(scalars, from: end, step: 1)
            let start = before.edge + 1
            if let word = word(before: Array(before.text.reversed()), after: after.text, stars: end - index) {
                scalars.replaceSubrange(start..<after.edge, with: word)
                index = start + word.count
            } else {
                index = end
            }
        }
    }

    /// The letters next to the asterisks, with at most one space in between, and where they end.
    private static func letters(_ scalars: [Unicode.Scalar], from index: Int, step: Int) -> (
        text: [Unicode.Scalar], edge: Int
    ) {
        var position = index
        if scalars.indices.contains(position), scalars[position] == " " { position += step }
        var text: [Unicode.Scalar] = []
        while scalars.indices.contains(position), (0x61...0x7A).contains(scalars[position].value) {
            text.append(scalars[position])
            position += step
        }
        return text.isEmpty ? (text, index) : (text, position)
    }

    private static func word(before: [Unicode.Scalar], after: [Unicode.Scalar], stars: Int) -> [Unicode.Scalar]? {
        guard !before.isEmpty else { return nil }
        let possible = words.filter { word in
            word.count > before.count + after.count && word.starts(with: before)
                && word.suffix(after.count) == after[...]
        }
        return possible.first { $0.count == before.count + after.count + stars } ?? possible.first
    }

    private static let words: [[Unicode.Scalar]] =
        """
        fuck fucking fuckin fucked fucker fuckers motherfucker motherfuckers motherfuckin shit shits shitty bullshit \
        bitch bitches nigga niggas ass asshole pussy dick damn hoe hoes cunt bastard whore slut cock tits
        """
        .split(separator: " ").map { Array($0.unicodeScalars) }
}
