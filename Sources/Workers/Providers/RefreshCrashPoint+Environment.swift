import Foundation
import Connections
import Platform

extension RefreshCrashPoint {
    /// Kills this process at the moment of a refresh that a test names.
    static func dyingInTests() -> @Sendable (RefreshCrashPoint) -> Void {
        guard let moment = TestSwitch.dieAtToken.value.flatMap(RefreshCrashPoint.init) else { return { _ in } }
        return { if $0 == moment { kill(getpid(), SIGKILL) } }
    }
}
