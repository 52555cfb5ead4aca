/// The id that a page gives to one of its screens, so that a newer request from the screen cancels the older one: 1 …
/// 64 characters of A–Z, a–z, 0–9, _ and -.
package struct ScreenID: Sendable, Hashable {
    package let text: String

    /// `nil` for any other text.
    package init?(_ text: String) {
        guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else { return nil }
        self.text = text
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
