import Contracts
import Messaging
import Platform

extension MessageFaults {
    /// The faults that a test requests with ``TestSwitch/messageFaults``; none in release builds.
    package static func fromTestEnvironment() throws -> MessageFaults {
        guard let rules = TestSwitch.messageFaults.value else { return .none }
        return try MessageFaults(rules: rules, types: messageTypes)
    }
}
