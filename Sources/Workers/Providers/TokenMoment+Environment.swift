import Foundation
import LinkedAccounts
import Platform

extension TokenMoment {
    /// Kills this process at the moment of a refresh that a test names.
    static func dyingInTests() -> @Sendable (TokenMoment) -> Void {
        guard let moment = TestSwitch.dieAtToken.value.flatMap(TokenMoment.init) else { return { _ in } }
        return { if $0 == moment { kill(getpid(), SIGKILL) } }
    }
}
