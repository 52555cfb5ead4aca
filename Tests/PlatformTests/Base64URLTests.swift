import Platform
import Testing

@Suite("Base64url")
struct Base64URLTests {
    @Test("Bytes have exactly one text, and no other is read")
    func base64URL() {
        for (bytes, text) in [
            ([], ""), ([0], "AA"), ([0xFF], "_w"), ([0xFB, 0xEF], "--8"), ([1, 2, 3], "AQID"),
        ] as [([UInt8], String)] {
            #expect(Base64URL.text(of: bytes) == text && Base64URL.bytes(of: text) == bytes)
        }
        for text in ["A", "AB", "AA==", "A+", "A/", "AQIDA", "ä"] {
            #expect(Base64URL.bytes(of: text) == nil, "\(text)")
        }
    }
}
