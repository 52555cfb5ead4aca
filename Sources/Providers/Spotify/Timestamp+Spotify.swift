import Model

extension Timestamp {
    /// The time of an entry; `nil` for any other text, and for the beginning of 1970, which stands for an unknown time.
    ///
    /// Almost all times have the form `YYYY-MM-DDTHH:MM:SSZ`, which is parsed without Foundation: a library has tens of
    /// thousands.
    init?(spotify text: String) {
        guard let time = Timestamp(wholeSeconds: text) ?? Timestamp(rfc3339: text), time.microseconds != 0 else {
            return nil
        }
        self = time
    }

    private init?(wholeSeconds text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 20, bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"),
            bytes[16] == UInt8(ascii: ":"), bytes[19] == UInt8(ascii: "Z"),
            let date = LocalDate(String(text.prefix(10))), let hour = Self.number(bytes[11..<13]), hour < 24,
            let minute = Self.number(bytes[14..<16]), minute < 60, let second = Self.number(bytes[17..<19]), second < 60
        else { return nil }
        let seconds = date.dayNumber * 86_400 + hour * 3_600 + minute * 60 + second
        self.init(microseconds: Int64(seconds) * 1_000_000)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        digits.reduce(Optional(0)) { number, byte in
            guard let number, (0x30...0x39).contains(byte) else { return nil }
            return number * 10 + Int(byte - 0x30)
        }
    }
}
