import Foundation

/// Environment variables with which the project's tests change the behavior of a process. Release builds ignore them,
/// so that the environment of a service cannot make it lose messages, change its clock or log statements.
package enum TestSwitch: Sendable, CaseIterable {
    /// A file with an offset of the wall clock in microseconds (``WallClockOffset``).
    case clockOffsetFile
    /// A folder for the log of statements.
    case statements
    /// The messages to drop or to send twice.
    case messageFaults
    /// The step of a token refresh at which the process exits.
    case dieAtToken
    /// Makes the gateway exit after the first step of an erasure that it carries out.
    case dieAtErasure
    /// The divisor of the times for which workers wait (``Duration/dividedInTests``).
    case timeDivisor

    /// The value in the environment of this process; always `nil` in a release build.
    package var value: String? {
        #if DEBUG
        ProcessInfo.processInfo.environment[name]
        #else
        nil
        #endif
    }

    #if DEBUG
    package var name: String {
        switch self {
        case .clockOffsetFile: "BACKLINE_TEST_CLOCK_OFFSET_FILE"
        case .statements: "BACKLINE_TEST_STATEMENTS"
        case .messageFaults: "BACKLINE_TEST_MESSAGE_FAULTS"
        case .dieAtToken: "BACKLINE_TEST_DIE_AT_TOKEN"
        case .dieAtErasure: "BACKLINE_TEST_DIE_AT_ERASURE"
        case .timeDivisor: "BACKLINE_TEST_TIME_DIVISOR"
        }
    }
    #endif
}

extension Duration {
    private static let testDivisor: Int = {
        // bounded: the readers are in Model, above this module
        guard let text = TestSwitch.timeDivisor.value, let divisor = Int(text), (1...1_000_000).contains(divisor)
        else { return 1 }
        return divisor
    }()

    /// A waiting time, divided by ``TestSwitch/timeDivisor``. All such times are divided by the same number, so that
    /// their order is preserved.
    package var dividedInTests: Duration { self / Self.testDivisor }
}
