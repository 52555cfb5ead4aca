import Foundation

/// Where the package's own programs are.
enum Executables {
    /// The folder that `BACKLINE_TEST_EXECUTABLES` names, else the one in which the tests were built.
    static let folder: String = {
        if let named = ProcessInfo.processInfo.environment["BACKLINE_TEST_EXECUTABLES"] { return named }
        let runner = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        return URL(fileURLWithPath: runner).deletingLastPathComponent().path
    }()

    static func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// A program of the system, if it is installed.
    static func system(_ name: String) -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return path.split(separator: ":").map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
