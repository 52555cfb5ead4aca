/// The folded forms of the scalars that most texts consist of, made by ``FoldedText/foldedWhole(_:)``.
///
/// A text may be folded scalar by scalar as long as no marks have to be reordered. The table therefore does not contain
/// such marks.
struct FoldedScalarTable: Sendable {
    static let shared = FoldedScalarTable()

    /// Latin to Arabic without ASCII, general punctuation, and kana.
    private static let ranges: [Range<UInt32>] = [0x80..<0x700, 0x2010..<0x2030, 0x3000..<0x3100]

    /// The end of each scalar's folded form in ``scalars``; the ranges follow each other. -1 if the scalar has none.
    private var ends: [Int32] = []
    private var starts: [Int32] = []
    private var scalars: [Unicode.Scalar] = []

    private init() {
        for value in Self.ranges.joined() {
            guard let scalar = Unicode.Scalar(value), scalar.properties.canonicalCombiningClass == .notReordered else {
                starts.append(0)
                ends.append(-1)
                continue
            }
            starts.append(Int32(scalars.count))
            scalars += FoldedText.foldedWhole(String(scalar))
            ends.append(Int32(scalars.count))
        }
    }

    /// - Returns: whether the scalar can be folded independently of its neighbors.
    func append(_ scalar: Unicode.Scalar, to folded: inout [Unicode.Scalar]) -> Bool {
        let value = scalar.value
        let index: UInt32
        switch value {
        case 0x80..<0x700: index = value - 0x80
        case 0x2010..<0x2030: index = value - 0x2010 + 0x680
        case 0x3000..<0x3100: index = value - 0x3000 + 0x6A0
        // Ideographs have no other forms.
        case 0x4E00...0x9FFF:
            folded.append(scalar)
            return true
        case 0xAC00...0xD7A3:
            appendHangul(value - 0xAC00, to: &folded)
            return true
        default: return false
        }
        let end = ends[Int(index)]
        guard end >= 0 else { return false }
        for place in starts[Int(index)]..<end { folded.append(scalars[Int(place)]) }
        return true
    }

    /// The letters of a Hangul syllable (The Unicode Standard, section 3.12).
    private func appendHangul(_ syllable: UInt32, to folded: inout [Unicode.Scalar]) {
        let values = [0x1100 + syllable / 588, 0x1161 + syllable % 588 / 28, 0x11A7 + syllable % 28]
        for value in values where value != 0x11A7 {
            if let letter = Unicode.Scalar(value) { folded.append(letter) }
        }
    }
}
