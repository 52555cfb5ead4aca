/// The bytes of a picture that may be shown: in a known raster format, complete, and of a reasonable size.
package struct CheckedPicture: Sendable, Equatable {
    package let format: PictureFormat
    package let bytes: [UInt8]

    /// The largest file, in bytes.
    package static let maximumBytes = 4 << 20
    /// The longest side, in pixels. A browser needs four bytes of memory per pixel.
    package static let maximumSide = 6_000
    /// The largest product of width and height.
    package static let maximumPixels = 20_000_000

    /// - Parameter longestSide: in pixels.
    /// - Throws: ``PictureRefusal``.
    package init(_ bytes: [UInt8], longestSide: Int = maximumSide) throws(PictureRefusal) {
        guard bytes.count <= Self.maximumBytes else { throw .tooLarge }
        guard let format = PictureFormat(bytes) else { throw .notRaster }
        guard let header = PictureHeader(of: format, in: bytes) else { throw .damaged }
        guard (1...longestSide).contains(header.width), (1...longestSide).contains(header.height),
            header.width * header.height <= Self.maximumPixels
        else { throw .wrongDimensions }
        guard Self.isComplete(bytes, format) else { throw .damaged }
        (self.format, self.bytes) = (format, bytes)
    }

    /// How many bytes may follow a picture's end: some encoders add padding.
    private static let longestTail = 4_096

    /// Whether the end of the file is present.
    private static func isComplete(_ bytes: [UInt8], _ format: PictureFormat) -> Bool {
        let tail = bytes.suffix(longestTail)
        func hasEnd(_ end: [UInt8]) -> Bool {
            guard tail.count >= end.count else { return false }
            return (tail.startIndex...tail.endIndex - end.count).contains { start in
                tail[start] == end[0] && tail[start..<start + end.count].elementsEqual(end)
            }
        }
        switch format {
        case .jpeg: return hasEnd([0xFF, 0xD9])
        case .png: return hasEnd(Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82])
        case .gif: return tail.contains(0x3B)
        case .webP:
            // The size of everything that follows it (RFC 9649, section 2.4).
            let size = bytes[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
            return size + 8 <= bytes.count
        }
    }
}

/// Why bytes are not shown as a picture.
package enum PictureRefusal: String, Error, Sendable, CaseIterable {
    /// They are SVG, HTML or anything else that is not a JPEG, PNG, GIF or WebP.
    case notRaster
    case tooLarge
    case wrongDimensions
    /// The file has no header or no end.
    case damaged
    /// The server does not have the picture, or redirects the browser elsewhere.
    case notFound
    /// The server failed or is overloaded, which says nothing about the picture.
    case serverFailed
    /// Its host is not among those from which pictures are fetched.
    case notAllowed
}
