/// The reason why a request to the gateway failed.
package enum GatewayError: Error, Equatable {
    /// Nothing answered at this address.
    case unreachable(address: String, reason: String)
    /// The token would be sent over plain http to another machine. Nothing was sent.
    case plainHTTP(address: String)
    /// The gateway does not accept the token.
    case unauthorized
    /// The token's user may not do this.
    case forbidden(detail: String)
    /// The gateway refused the request with a reason.
    case refused(status: Int, detail: String)
    /// The response is not a gateway's, or is one of another version.
    case unreadable(address: String, reason: String)

    /// Whether the same request may succeed a moment later.
    package var isPassing: Bool {
        switch self {
        case .unreachable: true
        case .plainHTTP, .unauthorized, .forbidden, .unreadable: false
        case .refused(let status, _): status >= 500 || status == 429
        }
    }
}

extension GatewayError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreachable(let address, let reason):
            """
            The gateway at \(address) cannot be reached: \(reason). Start it with 'api-gateway', or give its address \
            with --server or \(GatewayOptions.Variable.server.rawValue).
            """
        case .plainHTTP(let address):
            """
            The token was not sent to \(address): anybody on the network could read it. Give the gateway's https \
            address, or allow plain http with --insecure.
            """
        case .unauthorized:
            """
            The gateway does not accept the token. Use another one; 'backline user add NAME' prints one for a new user.
            """
        case .forbidden(let detail), .refused(_, let detail): detail
        case .unreadable(let address, let reason):
            """
            The answer from \(address) cannot be understood: \(reason). Is it Backline's gateway, of version \
            \(GatewayOptions.version)?
            """
        }
    }
}
