/// Repairs text that was at some point decoded with the wrong character set, as in exports and old files.
enum MisreadText {
    /// - Complexity: a single pass over the bytes if there is nothing to repair.
    static func repaired(_ text: String) -> String {
        var hasSign = false
        for byte in text.utf8 where byte == 0xC3 {
            hasSign = true
            break
        }
        guard hasSign else { return text }
        let scalars = Array(text.unicodeScalars)
        var result = String.UnicodeScalarView()
        var index = 0
        while index < scalars.count {
            let next = index + 1 < scalars.count ? scalars[index + 1].value : 0
            switch scalars[index].value {
            // The two bytes of UTF-8 (U+00C0 to U+00FF) decoded as two Latin-1 letters: `Ã©` is `é`.
            case 0xC3 where (0x80...0xBF).contains(next):
                result.append(Unicode.Scalar(next + 0x40) ?? scalars[index])
                index += 2
            // The same with the character set of old Macs, where only the first letter remains: `Ì©`, `Ì _`. The
            // original letter is lost. An `Ì` at the end of a word is left alone.
            case 0xCC where isRemnant(scalars, after: index):
                index += next == 0x20 ? 3 : 2
            default:
                result.append(scalars[index])
                index += 1
            }
        }
        return String(result)
    }

    private static func isRemnant(_ scalars: [Unicode.Scalar], after index: Int) -> Bool {
        var next = index + 1
        if next < scalars.count, scalars[next] == " " { next += 1 }
        guard next < scalars.count else { return false }
        return scalars[next] == "_" || (0x80...0xFF).contains(scalars[next].value)
            || (0x2020...0x2122).contains(scalars[next].value)
    }
}
