extension Sequence<UInt8> {
    /// Two lower-case digits per byte.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

extension [UInt8] {
    /// The bytes of a hexadecimal text in lower or upper case; `nil` for any other text.
    package init?(hexadecimal text: String) {
        let digits = text.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
        self = stride(from: 0, to: digits.count, by: 2).map { index in
            UInt8((digits[index] ?? 0) << 4 | (digits[index + 1] ?? 0))
        }
    }
}
