import Foundation

/// Files of the repository that tests read.
package enum Repository {
    package static let url = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    package static func path(_ name: String) -> String { url.appending(path: name).path }

    package static func text(_ name: String) throws -> String {
        try String(contentsOfFile: path(name), encoding: .utf8)
    }
}
