import Foundation

/// A new folder that is removed when its last owner is released.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "backline-bootstrap-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file and returns its path.
    func file(_ name: String, _ content: String, permissions: Int = 0o600) throws -> String {
        let file = path + "/" + name
        try Data(content.utf8).write(to: URL(filePath: file))
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: file)
        return file
    }
}
