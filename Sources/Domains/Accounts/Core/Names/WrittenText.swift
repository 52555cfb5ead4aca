/// The texts that people write for others, in any script: about themselves, with a share, in a report.
package enum WrittenText {
    /// The most marks over and under one letter that fit to any script, such as U+0301. As in names.
    static let generalMarks = DisplayName.marksPerLetter
    /// The most marks of a letter's own script: Hebrew and Tibetan have up to four.
    static let ownMarks = 4

    /// The text without what would disturb the text around it, as of a ``DisplayName``: direction controls, invisible
    /// characters, and marks in stacks. Unlike names, texts keep the joiners of words, such as those of Persian, and all
    /// variations. Control characters are left to the caller.
    package static func cleaned(_ text: String) -> String {
        var cleaned = String.UnicodeScalarView()
        // Marks without a letter before them would be drawn over other text.
        var (general, own, tags) = (generalMarks, ownMarks, 0)
        for scalar in text.unicodeScalars {
            let isTag = tags > 0 && (0xE0020...0xE007F).contains(scalar.value)
            tags = isTag ? tags - 1 : scalar == "\u{1F3F4}" ? longestFlagCode : 0
            if DisplayName.isInvisible(scalar), !isTag, !scalar.joins(to: cleaned.last) { continue }
            switch scalar.properties.generalCategory {
            case .nonspacingMark where !scalar.properties.isVariationSelector, .enclosingMark:
                if scalar.isGeneralMark { general += 1 } else { own += 1 }
                guard general <= generalMarks, own <= ownMarks else { continue }
            case .spacingMark, .format, .nonspacingMark: break
            default: (general, own) = (0, 0)
            }
            cleaned.append(scalar)
        }
        return String(cleaned)
    }

    /// The most characters of the code of a flag, such as that of Scotland: five letters and an end.
    private static let longestFlagCode = 6
}

extension Unicode.Scalar {
    /// Whether this is a joiner or a variation of the character before it: of a letter of a script that has such, of an
    /// emoji, or of the digit of a key.
    fileprivate func joins(to former: Unicode.Scalar?) -> Bool {
        guard let former, !former.properties.isWhitespace, !DisplayName.isInvisible(former) || former.isVariation
        else { return false }
        if isVariation { return !former.isVariation }
        return [0x200C, 0x200D].contains(value) && !former.isASCII
    }

    private var isVariation: Bool { properties.isVariationSelector }

    /// A mark that is of no script.
    fileprivate var isGeneralMark: Bool {
        [0x0300...0x036F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F].contains {
            $0.contains(value)
        }
    }
}
