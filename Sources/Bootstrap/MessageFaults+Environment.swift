import Contracts
import Foundation
import Messaging

extension MessageFaults {
    /// The messages that a test wants lost or doubled: `BACKLINE_TEST_MESSAGE_FAULTS`.
    package static func fromTestEnvironment() throws -> MessageFaults {
        guard let rules = ProcessInfo.processInfo.environment["BACKLINE_TEST_MESSAGE_FAULTS"] else { return .none }
        return try MessageFaults(rules: rules, types: messageTypes)
    }
}
