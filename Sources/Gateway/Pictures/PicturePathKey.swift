import Crypto
import Foundation
import Logging
import Model
import Platform
import PrivateFiles

/// The key that signs the paths of pictures. It is stored in a file, so that paths that browsers know stay valid.
package struct PicturePathKey: Sendable {
    let key: SymmetricKey

    private static let bitCount = 256

    /// A new key.
    package init() {
        key = SymmetricKey(size: .init(bitCount: Self.bitCount))
    }

    private init?(text: String) {
        let lines = text.split(whereSeparator: \.isNewline).filter { !$0.isEmpty && !$0.hasPrefix("#") }
        guard lines.count == 1, let bytes = [UInt8](hexadecimal: String(lines[0])), bytes.count * 8 == Self.bitCount
        else { return nil }
        key = SymmetricKey(data: bytes)
    }

    /// Reads the key of a file. A file that is missing, damaged or readable by other accounts gets a new key: browsers
    /// then load pictures again, and nothing else is lost.
    package static func load(path: String, logger: Logger) -> PicturePathKey {
        var replaces = false
        // The second attempt finds the key of another gateway that wrote one at the same time.
        for _ in 0..<2 {
            do throws(PrivateFileError) {
                let content = try PrivateFile.read(path)
                if content.isPrivate, let key = PicturePathKey(text: content.text) { return key }
                replaces = true
            } catch {
                if case .notText = error { replaces = true }
            }
            let made = PicturePathKey()
            do throws(PrivateFileError) {
                try PrivateFile.write(made.fileText, to: path, replaces: replaces)
                logger.notice(
                    "created the key that signs paths of pictures; it needs no backup", metadata: ["file": "\(path)"])
                return made
            } catch {
                if case .exists = error { continue }
                logger.warning(
                    """
                    the key that signs the paths of pictures cannot be saved, so browsers load pictures again after \
                    every start
                    """, metadata: ["file": "\(path)", "error": "\(error)"])
                return made
            }
        }
        return PicturePathKey()
    }

    private var fileText: String {
        let lines = [
            "# The key with which Backline's gateway signs the paths of pictures. No other process needs it. Without",
            "# this file the gateway makes a new one.",
            key.withUnsafeBytes { Array($0) }.hexadecimal,
        ]
        return lines.joined(separator: "\n") + "\n"
    }
}
