import Foundation

/// Executables that a test may start.
package enum Executable {
    /// The folder of this package's products, which has the running test bundle, too.
    package static let folder: String = {
        let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: bundle).deletingLastPathComponent().path
    }()

    /// A product of this package.
    package static func product(_ name: String) -> String { "\(folder)/\(name)" }

    /// A tool of the system; `nil` if it is not installed.
    package static func tool(_ name: String) -> String? {
        ["/usr/bin", "/bin", "/usr/local/bin"].map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
