import TestProcesses
import Testing

extension Installation {
    /// Makes an installation that exists while `body` runs.
    ///
    /// The test fails if a process has exited without being asked to.
    ///
    /// - Parameter megabytes: gives the database a disk of this size.
    static func run(
        environment: [String: String] = [:], disk megabytes: Int? = nil,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: (Installation) async throws -> Void
    ) async throws {
        await Slots.installations.take()
        defer { Slots.installations.release() }
        let installation = try Installation(environment: environment, disk: megabytes)
        do {
            try await body(installation)
            for process in installation.started where process.hasCrashed {
                let (end, log) = (process.end.map { "\($0)" } ?? "", process.errors.lines.suffix(5))
                Issue.record("\(process.name) ended by itself: \(end) \(log)", sourceLocation: sourceLocation)
            }
        } catch {
            installation.printLogs()
            await installation.destroy()
            throw error
        }
        await installation.destroy()
    }
}
