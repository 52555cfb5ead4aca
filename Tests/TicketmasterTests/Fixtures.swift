import Foundation

/// Recorded upstream payloads, which are not part of this repository.
enum Fixtures {
    /// `BACKLINE_FIXTURES`, or `shared/fixtures` beside the repository.
    static let folder: URL = {
        if let path = ProcessInfo.processInfo.environment["BACKLINE_FIXTURES"] {
            return URL(filePath: path, directoryHint: .isDirectory)
        }
        return URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "shared/fixtures")
    }()

    static var areAvailable: Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: "ticketmaster").path)
    }

    static let missing = "the recorded payloads are not beside the repository; set BACKLINE_FIXTURES"

    static func ticketmaster(_ name: String) throws -> Data {
        try Data(contentsOf: folder.appending(path: "ticketmaster/\(name)"))
    }
}
