import Model
import Vault

/// Why a call on a person's behalf did not succeed, sorted for the connection by ``ConnectionFault``.
package struct ConnectionFailure: Error, Sendable, Hashable, CustomStringConvertible {
    package var fault: ConnectionFault
    /// When trying again makes sense, as the provider or this installation's own pause says.
    package var until: Timestamp?
    /// For people; it holds no secret.
    package var message: String
    /// Whether the provider said that it did not do what it was asked for.
    package var isAnswer: Bool
    /// The scope that is missing, for ``ConnectionFault/scopeMissing``.
    package var scope: String?
    /// What is wrong with the vault, for ``ConnectionFault/secretsSealed``.
    package private(set) var vaultTrouble: VaultTrouble?

    /// - Parameter isAnswer: `nil` goes by the fault.
    package init(
        _ fault: ConnectionFault, until: Timestamp? = nil, message: String, isAnswer: Bool? = nil, scope: String? = nil
    ) {
        self.fault = fault
        self.until = until
        self.message = message
        self.isAnswer = isAnswer ?? fault.isAnswer
        self.scope = scope
    }

    /// The vault does not work, in words for people: the error's own name the operator's files.
    init(_ error: VaultError) {
        let trouble = VaultTrouble(error)
        self.init(.secretsSealed, message: trouble.sentence)
        vaultTrouble = trouble
    }

    package var recovery: Recovery { vaultTrouble?.recovery ?? fault.recovery }
    package var description: String { message }
}

/// A call cannot be made, since the person's connection is not there or has to be made again.
package struct ConnectionUnavailable: Error, Sendable, Hashable {
    package let state: ConnectionState

    package init(_ state: ConnectionState) {
        self.state = state
    }
}
