/// Why a change of users or tokens, or a sign-in, is refused. The texts are for people.
package enum AccountError: Error, Sendable, Equatable, CustomStringConvertible {
    case invalidName(String)
    case nameTaken(String)
    case unknownUser(String)
    case invalidTokenName(String)
    case tokenNameTaken(String)
    case tooManyTokens
    case unknownToken(String)
    /// An ID token from Google that has already been accepted.
    case idTokenUsed

    package var description: String {
        switch self {
        case .invalidName(let name):
            "'\(Self.printable(name))' cannot be a user's name. \(Accounts.nameRule)"
        case .nameTaken(let name):
            "There is already a user named '\(name)'. Choose another name."
        case .unknownUser(let name):
            "There is no user named '\(Self.printable(name))'. 'backline user list' lists all users."
        case .invalidTokenName(let name):
            "'\(Self.printable(name))' cannot be a token's name. \(Accounts.nameRule)"
        case .tokenNameTaken(let name):
            "There is already a token named '\(name)'. Choose another name, or revoke that one first."
        case .tooManyTokens:
            "A user may have at most \(Accounts.maximumTokens) tokens. Revoke one that is no longer used."
        case .idTokenUsed:
            "This ID token has already been used, and each works only once. Get a new one from Google and send that."
        case .unknownToken(let id):
            "There is no token with the id '\(Self.printable(id))'. 'backline token list' lists all tokens."
        }
    }

    /// The beginning of a name, with invisible characters replaced: a terminal would obey some of them.
    private static func printable(_ name: String) -> String {
        name.unicodeScalars.prefix(40).reduce(into: "") { text, scalar in
            let isHidden = scalar.properties.isDefaultIgnorableCodePoint
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: text += "\u{FFFD}"
            default: text += isHidden ? "\u{FFFD}" : String(scalar)
            }
        }
    }
}
