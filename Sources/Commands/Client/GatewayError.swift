/// Why the gateway did not do what a command asked for.
enum GatewayError: Error, Equatable {
    /// Nothing answered at this address.
    case unreachable(address: String, reason: String)
    /// A token would go there in the clear; nothing was sent.
    case plainHTTP(address: String)
    /// It does not let the token in.
    case unauthorized
    /// The token's user may not do this.
    case forbidden(detail: String)
    /// It refused the request and said why.
    case refused(status: Int, detail: String)
    /// What answered is no gateway, or one of another version.
    case unreadable(address: String, reason: String)

    /// Whether the same request may work in a moment.
    var isPassing: Bool {
        switch self {
        case .unreachable: true
        case .plainHTTP, .unauthorized, .forbidden, .unreadable: false
        case .refused(let status, _): status >= 500 || status == 429
        }
    }
}

extension GatewayError: CustomStringConvertible {
    var description: String {
        switch self {
        case .unreachable(let address, let reason):
            """
            The gateway at \(address) cannot be reached: \(reason). Start it with 'api-gateway', or say where it \
            listens with --server or \(GatewayOptions.Variable.server.rawValue).
            """
        case .plainHTTP(let address):
            """
            The token was not sent to \(address): anybody on the way could read it there. Give the gateway's https \
            address, or let the token go over plain http with --insecure.
            """
        case .unauthorized:
            """
            The gateway does not accept the token. Use another one; 'backline user add NAME' prints one for a new user.
            """
        case .forbidden(let detail), .refused(_, let detail): detail
        case .unreadable(let address, let reason):
            """
            What answered at \(address) cannot be understood: \(reason). Is it Backline's gateway, and of version \
            \(GatewayOptions.version)?
            """
        }
    }
}
