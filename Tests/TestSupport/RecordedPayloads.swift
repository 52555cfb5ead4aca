import Foundation

/// Payloads that were recorded from the real upstreams. They are too large for the repository, and belong to others.
package struct RecordedPayloads: Sendable {
    package static let apple = RecordedPayloads(upstream: "apple")
    package static let gemini = RecordedPayloads(upstream: "gemini")
    /// Files that people import.
    package static let listens = RecordedPayloads(upstream: "listens")
    package static let spotify = RecordedPayloads(upstream: "spotify")
    package static let ticketmaster = RecordedPayloads(upstream: "ticketmaster")

    /// Why tests that need them are skipped.
    package static let missing = "the recorded payloads are not beside the repository; set BACKLINE_FIXTURES"

    private let folder: URL

    /// The folder with the payloads: `BACKLINE_FIXTURES`, or a default beside the repository.
    private init(upstream: String) {
        let all =
            ProcessInfo.processInfo.environment["BACKLINE_FIXTURES"].map { URL(fileURLWithPath: $0) }
            ?? Repository.url.resolvingSymlinksInPath().deletingLastPathComponent().appending(path: "shared/fixtures")
        folder = all.appending(path: upstream)
    }

    package var areAvailable: Bool { FileManager.default.fileExists(atPath: folder.path) }

    package func data(_ name: String) throws -> Data {
        try Data(contentsOf: folder.appending(path: name))
    }

    package func json(_ name: String) throws -> Any {
        try JSONSerialization.jsonObject(with: data(name))
    }
}
