@testable import Pictures

/// The bytes of small pictures, of which only the header and the end are real.
enum SamplePicture {
    static func png(width: Int, height: Int, filler: Int = 0) -> [UInt8] {
        let start: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
        let header = Array("IHDR".utf8) + big(width, 4) + big(height, 4) + [8, 6, 0, 0, 0, 0, 0, 0, 0]
        return start + header + [UInt8](repeating: 1, count: filler) + [0, 0, 0, 0] + Array("IEND".utf8)
            + [0xAE, 0x42, 0x60, 0x82]
    }

    static func jpeg(width: Int, height: Int) -> [UInt8] {
        // A segment of a program before the frame header, with the bytes of a marker in it.
        let program: [UInt8] = [0xFF, 0xE1, 0, 8, 0xFF, 0xC0, 0, 1, 0, 1]
        let frame = [0xFF, 0xC2, 0, 11, 8] + big(height, 2) + big(width, 2) + [1, 1, 0x11, 0]
        return [0xFF, 0xD8] + program + frame + [0xFF, 0xDA, 0, 3, 0, 7, 7, 0xFF, 0xD9]
    }

    static func gif(width: Int, height: Int) -> [UInt8] {
        Array("GIF89a".utf8) + big(width, 2).reversed() + big(height, 2).reversed() + [0, 0, 0, 0x3B]
    }

    enum WebPForm: CaseIterable {
        case simple, lossless, extended
    }

    static func webP(_ form: WebPForm, width: Int, height: Int) -> [UInt8] {
        let chunk: [UInt8] =
            switch form {
            case .simple:
                Array("VP8 ".utf8) + [UInt8](repeating: 0, count: 7) + [0x9D, 0x01, 0x2A] + big(width, 2).reversed()
                    + big(height, 2).reversed()
            case .lossless:
                Array("VP8L".utf8) + [0, 0, 0, 0, 0x2F] + big((width - 1) | (height - 1) << 14, 4).reversed()
                    + [0, 0, 0, 0, 0]
            case .extended:
                Array("VP8X".utf8) + [0, 0, 0, 0, 0, 0, 0, 0] + big(width - 1, 3).reversed()
                    + big(height - 1, 3).reversed()
            }
        return Array("RIFF".utf8) + big(chunk.count + 4, 4).reversed() + Array("WEBP".utf8) + chunk
    }

    private static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
