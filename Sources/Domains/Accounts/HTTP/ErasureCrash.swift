import Foundation
import Platform

/// Where tests kill the gateway during an erasure.
enum ErasureCrash {
    /// Kills this process after a step of an erasure, if a test asks for it.
    static let afterStep: @Sendable () -> Void = {
        guard TestSwitch.dieAtErasure.value != nil else { return {} }
        return { kill(getpid(), SIGKILL) }
    }()
}
