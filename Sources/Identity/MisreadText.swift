/// Repairs text that was read in the wrong character set on its way, as exports and old files have it.
enum MisreadText {
    /// - Complexity: one look at the bytes for text that has nothing to repair.
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
            // The two bytes of UTF-8 (U+00C0 to U+00FF) as two letters of Latin-1: `Ã©` is `é`.
            case 0xC3 where (0x80...0xBF).contains(next):
                result.append(Unicode.Scalar(next + 0x40) ?? scalars[index])
                index += 2
            // The same in the character set of old Macs, of which only the first letter is left: `Ì©`, `Ì _`. The
            // letter cannot be told any more. An `Ì` that ends a word stays.
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
