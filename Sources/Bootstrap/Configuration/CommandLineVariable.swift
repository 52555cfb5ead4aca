/// The variables that only the command line reads.
package enum CommandLineVariable: String, CaseIterable, Sendable {
    /// The gateway's address, such as `http://127.0.0.1:8080`.
    case server = "BACKLINE_SERVER"
    /// The path of a file with a token.
    case tokenFile = "BACKLINE_TOKEN_FILE"
    /// The token itself.
    case token = "BACKLINE_TOKEN"
}
