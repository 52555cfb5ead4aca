import Crypto
import Platform

/// The name of a picture in the folder: a hash of its address and of whether WebP was requested, which may return a
/// different file.
package struct PictureKey: Sendable, Hashable {
    /// 64 hexadecimal digits.
    package let text: String

    package init(address: String, acceptsWebP: Bool) {
        text = SHA256.hash(data: Array("\(acceptsWebP ? "webp" : "any")\n\(address)".utf8)).hexadecimal
    }
}
