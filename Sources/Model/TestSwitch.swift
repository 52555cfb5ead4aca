import Foundation

/// What the project's own tests have a process do, in variables of its environment. Release builds know none of them:
/// whoever can set a service's environment cannot have it lose messages, lie about the time or write down statements.
package enum TestSwitch: Sendable, CaseIterable {
    /// A file with the microseconds that are added to the wall clock (``WallClockOffset``).
    case clockOffsetFile
    /// A folder for the statements that were run.
    case statements
    /// The messages that are lost or doubled.
    case messageFaults
    /// The moment of a token's refresh at which the process dies.
    case dieAtToken

    /// What the environment of this process says; always `nil` in a release build.
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
            }
        }
    #endif
}
