import Model

/// What a search compares: a track's folded title, artist and album, or the search text folded in the same way.
///
/// ``FoldedText`` removes case, width and diacritics. Runs of white space and control characters become one space, and
/// leading and trailing ones are dropped, so that a line break in a title does not prevent a match.
package struct SearchText: Sendable, Hashable {
    /// The folded fields in UTF-8, each followed by ``separator``, so that no query matches across two fields.
    package let bytes: [UInt8]

    /// A byte that UTF-8 never contains (RFC 3629, section 3).
    static let separator: UInt8 = 0xFF

    package init(title: String, artist: String, album: String) {
        self.init(folded: [Self.folded(title), Self.folded(artist), Self.folded(album)])
    }

    /// - Parameter fields: the folded title, artist and album.
    package init(folded fields: [String]) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(fields.reduce(0) { $0 + $1.utf8.count + 1 })
        for field in fields {
            bytes.append(contentsOf: field.utf8)
            bytes.append(Self.separator)
        }
        self.bytes = bytes
    }

    /// Folds a text into composed form (NFC) with single spaces.
    package static func folded(_ text: String) -> String {
        // Most names are ASCII, and each is folded several times for every track that is written, so ASCII has a fast
        // path.
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return foldedASCII(text.utf8) }
        var view = String.UnicodeScalarView()
        var isSpaceDue = false
        for scalar in FoldedText.scalars(of: text) {
            if isSpace(scalar) {
                isSpaceDue = true
                continue
            }
            if isSpaceDue && !view.isEmpty { view.append(" ") }
            isSpaceDue = false
            view.append(scalar)
        }
        return FoldedText.composed(String(view))
    }

    /// Folds ASCII to the same result as ``FoldedText/scalars(of:)``: without apostrophes, in lower case.
    private static func foldedASCII(_ bytes: String.UTF8View) -> String {
        String(unsafeUninitializedCapacity: bytes.count) { buffer in
            var count = 0
            var isSpaceDue = false
            for byte in bytes {
                if byte <= 0x20 || byte == 0x7F {
                    isSpaceDue = count > 0
                    continue
                }
                if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "`") { continue }
                if isSpaceDue {
                    buffer[count] = 0x20
                    count += 1
                    isSpaceDue = false
                }
                buffer[count] = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 32 : byte
                count += 1
            }
            return count
        }
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        // Most text is ASCII, and looking up its Unicode properties is slower.
        if scalar.isASCII { return scalar.value <= 0x20 || scalar.value == 0x7F }
        return scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
    }
}

/// A search: part of a title, of an artist's name or of an album's name.
///
/// The words are matched as one text, in their order: `q=let it` finds "Let It Be" but not "It Lets". A text that folds
/// to nothing, such as a single apostrophe, yields no query, so that it does not restrict a list.
package struct SearchQuery: Sendable, Hashable {
    /// The folded text in UTF-8; not empty.
    let bytes: [UInt8]

    /// - Returns: `nil` if the text folds to nothing.
    package init?(_ text: String) {
        bytes = Array(SearchText.folded(text).utf8)
        if bytes.isEmpty { return nil }
    }
}
