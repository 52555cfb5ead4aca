import CZlib
import Crypto
import Foundation
import Synchronization

/// A file of the pages, plain and compressed.
struct WebFile: Sendable {
    struct Form: Sendable {
        let bytes: [UInt8]
        /// A strong validator (RFC 9110, section 8.8.3): a hash of the bytes.
        let entityTag: String

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            entityTag = "\"" + Data(SHA256.hash(data: bytes).prefix(12)).base64EncodedString() + "\""
        }
    }

    let contentType: String
    let plain: Form
    private let compressed: CompressedForm

    /// `nil` if it would not be smaller. The first read compresses.
    var gzip: Form? { compressed.form }

    init(bytes: [UInt8], contentType: String) {
        self.contentType = contentType
        plain = Form(bytes)
        compressed = CompressedForm(of: bytes)
    }

    /// The content types that are served, by the extension of a file's name.
    static let contentTypes = [
        "css": "text/css; charset=utf-8", "html": "text/html; charset=utf-8", "ico": "image/x-icon",
        "jpg": "image/jpeg", "js": "text/javascript; charset=utf-8", "json": "application/json",
        "png": "image/png", "svg": "image/svg+xml", "txt": "text/plain; charset=utf-8",
        "webmanifest": "application/manifest+json", "webp": "image/webp", "woff2": "font/woff2",
    ]
}

extension WebFile {
    /// A file in gzip (RFC 1952), compressed when it is first requested: many gateways serve no pages, and none serves
    /// every file.
    private final class CompressedForm: Sendable {
        private enum State {
            case waiting([UInt8])
            case made(Form?)
        }

        private let state: Mutex<State>

        init(of bytes: [UInt8]) {
            state = Mutex(.waiting(bytes))
        }

        /// `nil` if it would not be smaller.
        var form: Form? {
            state.withLock { state in
                switch state {
                case .made(let form): return form
                case .waiting(let bytes):
                    let form = Self.compressed(bytes).flatMap { $0.count < bytes.count ? Form($0) : nil }
                    state = .made(form)
                    return form
                }
            }
        }

        /// `nil` when compression fails.
        private static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
            let bound = Int(czlib_gzip_bound(UInt(bytes.count)))
            let result = [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
                count = max(0, czlib_gzip(bytes, UInt32(bytes.count), buffer.baseAddress, UInt32(bound)))
            }
            return result.isEmpty ? nil : result
        }
    }
}
