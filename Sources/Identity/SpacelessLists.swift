/// Words for "and" that are written without spaces before or after them: `周杰伦和费玉清`, `米津玄師と菅田将暉`, `아이유와 최백호`.
///
/// They are also syllables of names, so they divide only between two parts that are each long enough to be a name, and
/// the result is read both as two names and as one (``NameBoundary/inner``).
enum SpacelessLists {
    /// "And" in Chinese and Japanese.
    private static let conjunctions: Set<Unicode.Scalar> = ["和", "与", "與", "と"]
    /// "And" in Korean, and whether it follows a vowel rather than a consonant.
    private static let particles: [Unicode.Scalar: Bool] = ["와": true, "과": false]
    static let words = conjunctions.union(particles.keys)
    /// In scalars.
    private static let shortestName = 2

    /// The text with spaces around such words.
    static func divided(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        guard scalars.contains(where: words.contains) else { return scalars }
        var divided: [Unicode.Scalar] = []
        for (index, scalar) in scalars.enumerated() {
            let divides = conjunctions.contains(scalar) ? isBetweenNames(index, scalars) : isParticle(index, scalars)
            divided += divides ? [" ", scalar, " "] : [scalar]
        }
        return divided
    }

    private static func isBetweenNames(_ index: Int, _ scalars: [Unicode.Scalar]) -> Bool {
        scalars[..<index].suffix(shortestName).count(where: isOfName) == shortestName
            && scalars[(index + 1)...].prefix(shortestName).count(where: isOfName) == shortestName
    }

    /// Hiragana is left out: in it, `と` is a syllable of many words.
    private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isIdeographic || scalar == "々" || (0x30A0...0x30FF).contains(scalar.value)
    }

    private static func isParticle(_ index: Int, _ scalars: [Unicode.Scalar]) -> Bool {
        guard let followsVowel = particles[scalars[index]], index >= shortestName, index + 2 < scalars.count,
            scalars[index + 1].properties.isWhitespace
        else { return false }
        let syllables: ClosedRange<UInt32> = 0xAC00...0xD7A3
        guard scalars[(index - shortestName)..<index].allSatisfy({ syllables.contains($0.value) }) else { return false }
        // Of 28 syllables with the same beginning, the first ends with the vowel.
        return ((scalars[index - 1].value - 0xAC00) % 28 == 0) == followsVowel
    }
}
