/// A raster picture format, recognized by the first bytes of a file. Names and types that a server reports do not
/// count.
package enum PictureFormat: String, Sendable, CaseIterable {
    case jpeg
    case png
    case gif
    case webP

    /// - Parameter bytes: the beginning of the file, or all of it.
    /// - Returns: `nil` for any other format, such as SVG.
    package init?(_ bytes: some Collection<UInt8>) {
        let start = Array(bytes.prefix(12))
        if start.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if start.starts(with: Array("GIF87a".utf8)) || start.starts(with: Array("GIF89a".utf8)) {
            self = .gif
        } else if start.count == 12, start.starts(with: Array("RIFF".utf8)), start[8...].elementsEqual("WEBP".utf8) {
            self = .webP
        } else {
            return nil
        }
    }

    package var contentType: String {
        switch self {
        case .jpeg: "image/jpeg"
        case .png: "image/png"
        case .gif: "image/gif"
        case .webP: "image/webp"
        }
    }

    /// The media types that are requested, WebP first if the client supports it.
    package static func acceptedTypes(webP: Bool) -> String {
        (webP ? "image/webp, " : "") + "image/jpeg, image/png, image/gif"
    }
}
