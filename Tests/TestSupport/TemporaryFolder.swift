import Foundation

/// A private folder that is removed with this value. Its path is short enough for Unix sockets (107 bytes).
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        let name = "bl-" + String(UInt32.random(in: 0...UInt32.max), radix: 36)
        path = FileManager.default.temporaryDirectory.appending(path: name).path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of a file in the folder, whether it exists or not.
    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file, and returns its path.
    @discardableResult
    package func write(_ text: String, to name: String, permissions: Int = 0o600) throws -> String {
        try Data(text.utf8).write(to: URL(filePath: file(name)))
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: file(name))
        return file(name)
    }
}
