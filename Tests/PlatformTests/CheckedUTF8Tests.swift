import Platform
import Testing

@Suite("Text from bytes")
struct CheckedUTF8Tests {
    @Test(
        "Valid UTF-8 becomes its text, and invalid bytes become nil",
        arguments: [
            [], Array("a".utf8), Array("diagnostics.echo".utf8), Array("Sigur Rós · 坂本龍一 · 🎻".utf8), [0], [0x7F],
            [0x80], [0xC3], [0xC3, 0xB3], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x61, 0xFF],
        ] as [[UInt8]])
    func validAndInvalidBytes(bytes: [UInt8]) {
        let text = bytes.withUnsafeBufferPointer { String(checkedUTF8: $0) }
        #expect(text == String(validating: bytes, as: UTF8.self))
        #expect(text.map { Array($0.utf8) } == (text == nil ? nil : bytes))
    }
}
