import Dispatch
import Foundation
import Platform

/// Watches the allow-list while a gateway runs: a new or revoked key takes effect within seconds.
///
/// Reads the folder once a second, on a thread of its own. If the folder cannot be read, nothing changes; a file in it
/// that cannot be used counts as a key that is not allowed.
package final class KeyWatch: Sendable {
    /// How often the folder is read.
    static let interval = DispatchTimeInterval.seconds(1)

    private let stop = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - onChange: called with the allow-list each time it has been read.
    ///   - onProblem: called once for each new problem.
    package init(
        _ folder: KeyFolder, onChange: @escaping @Sendable (KeyRegister) -> Void,
        onProblem: @escaping @Sendable (KeyFileError) -> Void
    ) {
        NamedThread.start("key-watch") { [stop] in
            var told: [KeyFileError] = []
            while stop.wait(timeout: .now() + Self.interval) == .timedOut {
                var problems: [KeyFileError]
                do throws(KeyFileError) {
                    let found = try folder.register()
                    onChange(found.register)
                    problems = found.problems
                } catch {
                    problems = [error]
                }
                for problem in problems where !told.contains(problem) { onProblem(problem) }
                told = problems
            }
        }
    }

    /// Ends the thread soon.
    package func close() {
        stop.signal()
    }
}
