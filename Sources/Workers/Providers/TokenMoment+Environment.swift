import Connections
import Foundation

extension TokenMoment {
    /// Kills this process at the moment that a test names: `BACKLINE_TEST_DIE_AT_TOKEN`.
    static func dyingInTests() -> @Sendable (TokenMoment) -> Void {
        guard let name = ProcessInfo.processInfo.environment["BACKLINE_TEST_DIE_AT_TOKEN"],
            let moment = TokenMoment(rawValue: name)
        else { return { _ in } }
        return { if $0 == moment { kill(getpid(), SIGKILL) } }
    }
}
