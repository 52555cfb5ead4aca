/// The size that a picture's header states. Nothing is decoded.
struct PictureHeader: Equatable {
    /// The width in pixels.
    var width: Int
    var height: Int

    /// - Parameter bytes: the file.
    /// - Returns: `nil` when the header is missing.
    init?(of format: PictureFormat, in bytes: [UInt8]) {
        let found: (width: Int, height: Int)? =
            switch format {
            case .png: Self.png(bytes)
            case .gif: Self.gif(bytes)
            case .jpeg: Self.jpeg(bytes)
            case .webP: Self.webP(bytes)
            }
        guard let found else { return nil }
        (width, height) = found
    }

    /// The IHDR chunk, which is the first (w3.org/TR/png, section 11.2.1).
    private static func png(_ bytes: [UInt8]) -> (Int, Int)? {
        guard bytes.count >= 24, bytes[12..<16].elementsEqual("IHDR".utf8) else { return nil }
        return (bigEndian(bytes, at: 16, count: 4), bigEndian(bytes, at: 20, count: 4))
    }

    /// The logical screen (w3.org/Graphics/GIF/spec-gif89a.txt, section 18).
    private static func gif(_ bytes: [UInt8]) -> (Int, Int)? {
        guard bytes.count >= 10 else { return nil }
        return (littleEndian(bytes, at: 6, count: 2), littleEndian(bytes, at: 8, count: 2))
    }

    /// The first frame header (ITU T.81, section B.2.2), after any number of other segments.
    private static func jpeg(_ bytes: [UInt8]) -> (Int, Int)? {
        var position = 2
        while position + 4 <= bytes.count, bytes[position] == 0xFF {
            let marker = bytes[position + 1]
            switch marker {
            case 0xFF:
                // A fill byte before the marker.
                position += 1
            case 0x01, 0xD0...0xD8:
                // Markers without a segment.
                position += 2
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                guard position + 9 <= bytes.count else { return nil }
                return (bigEndian(bytes, at: position + 7, count: 2), bigEndian(bytes, at: position + 5, count: 2))
            case 0xD9, 0xDA:
                // The end, or the scan, comes before any frame header.
                return nil
            default:
                position += 2 + bigEndian(bytes, at: position + 2, count: 2)
            }
        }
        return nil
    }

    /// The canvas, or the frame of a simple file (RFC 9649, section 2; RFC 6386, section 9.1).
    private static func webP(_ bytes: [UInt8]) -> (Int, Int)? {
        guard bytes.count >= 30 else { return nil }
        switch String(decoding: bytes[12..<16], as: UTF8.self) {
        case "VP8X":
            return (littleEndian(bytes, at: 24, count: 3) + 1, littleEndian(bytes, at: 27, count: 3) + 1)
        case "VP8L":
            guard bytes[20] == 0x2F else { return nil }
            let bits = littleEndian(bytes, at: 21, count: 4)
            return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
        case "VP8 ":
            guard bytes[23..<26].elementsEqual([0x9D, 0x01, 0x2A]) else { return nil }
            return (littleEndian(bytes, at: 26, count: 2) & 0x3FFF, littleEndian(bytes, at: 28, count: 2) & 0x3FFF)
        default:
            return nil
        }
    }

    private static func bigEndian(_ bytes: [UInt8], at start: Int, count: Int) -> Int {
        bytes[start..<start + count].reduce(0) { $0 << 8 | Int($1) }
    }

    private static func littleEndian(_ bytes: [UInt8], at start: Int, count: Int) -> Int {
        bytes[start..<start + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
