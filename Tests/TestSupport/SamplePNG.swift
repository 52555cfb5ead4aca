/// A PNG that a test makes, without compression (w3.org/TR/png).
package struct SamplePNG {
    /// The forms of pixels, with the numbers of the format.
    package enum Form: UInt8, Sendable {
        case gray = 0
        case rgb = 2
        case grayAlpha = 4
        case rgba = 6

        var samples: Int {
            switch self {
            case .gray: 1
            case .grayAlpha: 2
            case .rgb: 3
            case .rgba: 4
            }
        }
    }

    /// The chunks after the header, in order, without lengths and checksums.
    package var chunks: [(name: String, content: [UInt8])]
    private let header: [UInt8]

    /// - Parameters:
    ///   - bits: of a sample: 8 or 16.
    ///   - pixel: the bytes of the pixel at a place.
    package init(
        width: Int, height: Int, _ form: Form = .rgb, bits: Int = 8, isInterlaced: Bool = false,
        pixel: (_ x: Int, _ y: Int) -> [UInt8]
    ) {
        header = Self.header(width, height, form, bits, isInterlaced)
        // The first column and row of each pass, and the steps between its columns and rows (section 8.1).
        let passes =
            isInterlaced
            ? [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
            : [(0, 0, 1, 1)]
        var rows: [UInt8] = []
        for (left, top, across, down) in passes where left < width {
            for y in stride(from: top, to: height, by: down) {
                // Without a filter.
                rows.append(0)
                for x in stride(from: left, to: width, by: across) { rows += pixel(x, y) }
            }
        }
        chunks = [("IDAT", Self.zlib(rows)), ("IEND", [])]
    }

    /// A picture of a size that only its header has.
    package init(claiming width: Int, _ height: Int, _ form: Form = .rgba) {
        header = Self.header(width, height, form, 8, false)
        chunks = [("IDAT", Self.zlib([UInt8](repeating: 0, count: 1_000))), ("IEND", [])]
    }

    /// A picture with a color of its own at each place.
    package static func gradient(width: Int, height: Int) -> SamplePNG {
        SamplePNG(width: width, height: height) { x, y in
            [UInt8(x * 255 / width), UInt8(y * 255 / height), UInt8((x ^ y) & 0xff)]
        }
    }

    package var bytes: [UInt8] {
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        return ([(name: "IHDR", content: header)] + chunks).reduce(into: signature) { bytes, chunk in
            let content = Array(chunk.name.utf8) + chunk.content
            bytes += Self.big(chunk.content.count) + content + Self.big(Int(Self.checksum(content)))
        }
    }

    /// Corrects the checksums of a PNG's chunks, so that a change of their content reaches whoever reads it.
    package static func correctingChecksums(in bytes: [UInt8]) -> [UInt8] {
        var (bytes, position) = (bytes, 8)
        while position + 12 <= bytes.count {
            let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
            let end = position + 8 + length
            guard end + 4 <= bytes.count else { break }
            bytes.replaceSubrange(end..<end + 4, with: big(Int(checksum(Array(bytes[position + 4..<end])))))
            position = end + 4
        }
        return bytes
    }

    private static func header(
        _ width: Int, _ height: Int, _ form: Form, _ bits: Int, _ isInterlaced: Bool
    ) -> [UInt8] {
        big(width) + big(height) + [UInt8(bits), form.rawValue, 0, 0, isInterlaced ? 1 : 0]
    }

    /// Bytes in the format zlib, as blocks that are stored (RFC 1950; RFC 1951, section 3.2.4).
    private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x78, 0x01]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            let length = [UInt8(block.count & 0xff), UInt8(block.count >> 8)]
            result += [rest.isEmpty ? 1 : 0] + length + length.map { ~$0 } + block
        } while !rest.isEmpty
        var (low, high) = (1, 0)
        for byte in bytes {
            low = (low + Int(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return result + big(high << 16 | low)
    }

    /// The CRC of a chunk (annex D).
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { table[Int(($0 ^ UInt32($1)) & 0xff)] ^ $0 >> 8 }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xedb8_8320 ^ value >> 1 : value >> 1 }
    }

    private static func big(_ value: Int) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
