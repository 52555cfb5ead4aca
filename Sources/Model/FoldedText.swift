import Foundation

/// Folded text, by which artist and city names are compared.
///
/// Letters lose their case, their width and the diacritics that are often left out in Latin, Greek and Cyrillic.
/// Letters such as `ß` and `æ` become the letters that replace them on other keyboards. Marks that make a different
/// letter (Japanese voicing, Indic and Thai vowels) stay. Apostrophes of every kind are removed.
package enum FoldedText {
    /// The folded text, with spaces and all punctuation except apostrophes.
    ///
    /// It does not use Foundation's `folding(options:locale:)`, which also removes the voicing marks of kana and so
    /// makes different names equal.
    package static func scalars(of text: String) -> [Unicode.Scalar] {
        var folded: [Unicode.Scalar] = []
        folded.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x41...0x5A: folded.append(Unicode.Scalar(UInt8(scalar.value + 32)))
            case 0x27, 0x60: continue
            case ..<0x80: folded.append(scalar)
            default:
                // This is the fast path: libraries fold every name of hundreds of thousands of tracks.
                guard FoldedScalarTable.shared.append(scalar, to: &folded) else { return foldedWhole(text) }
            }
        }
        return folded
    }

    /// The same for any text, with all of Unicode's rules.
    static func foldedWhole(_ text: String) -> [Unicode.Scalar] {
        // A separate acute accent decomposes into a space, which would split the word.
        let prepared = text.replacing("\u{B4}", with: "'")
        var folded: [Unicode.Scalar] = []
        for scalar in prepared.decomposedStringWithCompatibilityMapping.unicodeScalars {
            for lower in scalar.properties.lowercaseMapping.unicodeScalars where !isDropped(lower) {
                if let replacement = replacements[lower] {
                    folded.append(contentsOf: replacement.unicodeScalars)
                } else {
                    folded.append(lower)
                }
            }
        }
        return folded
    }

    /// The folded words of `text`: `"Sigur Rós – live"` gives `["sigur", "ros", "live"]`.
    package static func words(of text: String) -> [String] {
        words(of: scalars(of: text))
    }

    /// The words in the result of ``scalars(of:)``.
    package static func words(of scalars: [Unicode.Scalar]) -> [String] {
        scalars.split { !isWordPart($0) }.map { word in
            var view = String.UnicodeScalarView()
            view.append(contentsOf: word)
            return composed(String(view))
        }
    }

    /// `text` in composed form (NFC), so that equal texts have equal bytes in the database.
    package static func composed(_ text: String) -> String {
        text.utf8.allSatisfy { $0 < 0x80 } ? text : text.precomposedStringWithCanonicalMapping
    }

    /// Whether a folded scalar belongs to a word: a letter, a digit, or a remaining mark.
    package static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            return (UInt32(0x61)...0x7A).contains(scalar.value) || (UInt32(0x30)...0x39).contains(scalar.value)
        }
        return switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
        case .decimalNumber, .letterNumber, .otherNumber: true
        case .nonspacingMark, .spacingMark: true
        default: false
        }
    }

    private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x27, 0x60, 0x2018...0x201B, 0x2032, 0x2035, 0xFF07: true  // apostrophes, quotes and primes
        case 0x2B9...0x2BF, 0x2C8, 0x2CA, 0x2CB, 0x55A, 0xA78B, 0xA78C: true  // the same as modifier letters
        case 0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF: true  // accents
        case 0x591...0x5C7 where scalar.properties.generalCategory == .nonspacingMark: true  // Hebrew points
        case 0x64B...0x65F, 0x670, 0x640: true  // Arabic vowel marks and the stretching of a word
        case 0xFE00...0xFE0F, 0x200B...0x200F, 0x2060, 0xFEFF, 0xAD: true  // invisible characters
        default: false
        }
    }

    private static let replacements: [Unicode.Scalar: String] = [
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ı": "i",
        "ħ": "h", "ŧ": "t", "ŋ": "n", "ĸ": "k", "ς": "σ", "×": "x",
    ]
}
