import Foundation
import TestProcesses
import TestSupport

/// Files of the repository that are shipped with the programs.
enum Repository {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func path(_ name: String) -> String { root.appending(path: name).path }

    static func text(_ name: String) throws -> String {
        try String(contentsOfFile: path(name), encoding: .utf8)
    }

    /// The folder with the executables that this test run has built.
    static let executables = URL(fileURLWithPath: Executable.product("backline")).deletingLastPathComponent().path
}

/// Runs a tool of the system to its end.
func runTool(
    _ executable: String, _ arguments: [String], environment: [String: String] = [:], folder: String
) async throws -> ServiceProcess {
    let process = try ServiceProcess(executable, arguments, environment: environment, folder: folder)
    try await eventually("the end of \(process.name)", within: .seconds(300)) { !process.isRunning }
    try await process.waitForEnd()
    return process
}
