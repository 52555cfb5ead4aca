import Model

/// Why a call on a person's behalf did not succeed, sorted for the connection by ``ConnectionFault``.
package struct ConnectionFailure: Error, Sendable, Hashable, CustomStringConvertible {
    package var fault: ConnectionFault
    /// When trying again makes sense, as the provider or this installation's own pause says.
    package var until: Timestamp?
    /// For people; it holds no secret.
    package var message: String
    /// Whether the provider certainly did not do what it was asked for: it said so, or nothing was sent.
    package var isCertain: Bool
    /// The scope that is missing, for ``ConnectionFault/scopeMissing``.
    package var scope: String?

    /// - Parameter isCertain: `nil` goes by the fault.
    package init(
        _ fault: ConnectionFault, until: Timestamp? = nil, message: String, isCertain: Bool? = nil, scope: String? = nil
    ) {
        self.fault = fault
        self.until = until
        self.message = message
        self.isCertain = isCertain ?? fault.isAnswer
        self.scope = scope
    }

    package var recovery: Recovery { fault.recovery }
    package var description: String { message }
}

/// A call cannot be made, since the person's connection is not there or has to be made again.
package struct ConnectionUnavailable: Error, Sendable, Hashable {
    package let state: ConnectionState

    package init(_ state: ConnectionState) {
        self.state = state
    }
}
