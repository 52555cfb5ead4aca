import Dispatch
import Foundation
import Model

/// Follows the allow-list while a gateway runs: a key that is made or revoked counts within seconds.
///
/// It looks once a second, on a thread of its own. A folder that cannot be read changes nothing; a file in it that
/// cannot be used is a key that is not allowed.
package final class KeyWatch: Sendable {
    /// How often the folder is looked at.
    static let interval = DispatchTimeInterval.seconds(1)

    private let stop = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - onChange: is given what the folder says whenever it says something new.
    ///   - onProblem: is told of each new problem, once.
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

    /// Ends the thread, soon.
    package func close() {
        stop.signal()
    }
}
