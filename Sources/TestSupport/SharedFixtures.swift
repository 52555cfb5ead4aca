import Foundation

/// Recorded payloads, which are too large and too much other people's to stand in the repository.
package enum SharedFixtures {
    /// The folder that holds them: `BACKLINE_FIXTURES`, or `shared/fixtures` beside the repository;
    /// `nil` where there is none.
    package static let folder: String? = {
        let repository = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let folder =
            ProcessInfo.processInfo.environment["BACKLINE_FIXTURES"]
            ?? repository.deletingLastPathComponent().appending(path: "shared/fixtures").path
        return FileManager.default.fileExists(atPath: folder) ? folder : nil
    }()
}
