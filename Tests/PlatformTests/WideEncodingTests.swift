import Platform
import Testing

@Suite("Encodings with several bytes for each character")
struct WideEncodingTests {
    @Test(
        "They are recognized by a byte order mark, or by two characters of ASCII",
        arguments: [
            ([0xFF, 0xFE], .utf16(isBigEndian: false, hasMark: true)),
            ([0xFE, 0xFF, 0x66, 0xF2], .utf16(isBigEndian: true, hasMark: true)),
            ([0x7B, 0, 0x22, 0, 1], .utf16(isBigEndian: false, hasMark: false)),
            ([0, 0x3C, 0, 0x3F], .utf16(isBigEndian: true, hasMark: false)),
            ([0xFF, 0xFE, 0, 0], .utf32), ([0, 0, 0xFE, 0xFF], .utf32), ([0x7B, 0, 0, 0, 1], .utf32),
            ([0, 0, 0, 0x7B], .utf32), ([], nil), ([0xFF], nil), ([0x7B, 0], nil), ([0, 0, 0, 0], nil),
            ([0xEF, 0xBB, 0xBF, 0x7B], nil), ([0x50, 0x4B, 3, 4], nil), ([0x41, 0, 0xE9, 0], nil),
        ] as [([UInt8], WideEncoding?)])
    func recognizedEncodings(head: [UInt8], encoding: WideEncoding?) {
        #expect(WideEncoding(head: head) == encoding)
        #expect(WideEncoding(head: head[...]) == encoding)
    }
}
