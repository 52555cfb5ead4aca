import Testing
import TestProcesses

extension Installation {
    /// Makes an installation for the length of `body`.
    ///
    /// A process that ended though nobody told it to is a failure of the test.
    ///
    /// - Parameter megabytes: gives the database a disk of this size.
    static func run(
        environment: [String: String] = [:], disk megabytes: Int? = nil,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: (Installation) async throws -> Void
    ) async throws {
        await Slots.installations.take()
        defer { Slots.installations.giveBack() }
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
