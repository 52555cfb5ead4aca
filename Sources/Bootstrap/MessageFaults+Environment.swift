import Contracts
import Messaging
import Model

extension MessageFaults {
    /// The messages that a test wants lost or doubled.
    package static func fromTestEnvironment() throws -> MessageFaults {
        guard let rules = TestSwitch.messageFaults.value else { return .none }
        return try MessageFaults(rules: rules, types: messageTypes)
    }
}
