/// Why a change of users or tokens, or a sign-in, is refused. The texts are for people.
package enum AccountError: Error, Sendable, Equatable, CustomStringConvertible {
    case invalidName(String)
    case nameTaken(String)
    /// A word that people cannot choose.
    case nameReserved(String)
    case unknownUser(String)
    /// An administrator has suspended the user.
    case suspended(String)
    /// The only administrator cannot leave or give up the rights while others are here.
    case lastAdministrator
    case tooManyInvitations
    case invalidTokenName(String)
    case tokenNameTaken(String)
    case tooManyTokens
    case unknownToken(String)
    /// An ID token from Google that has already been accepted.
    case idTokenUsed

    package var description: String {
        switch self {
        case .invalidName(let name):
            "'\(Self.printable(name))' cannot be a user's name. \(Username.rule)"
        case .nameTaken(let name):
            "There is already a user named '\(name)', or the name is held for one. Choose another name."
        case .nameReserved(let name):
            "The name '\(name)' is reserved. Choose another name."
        case .unknownUser(let name):
            "There is no user named '\(Self.printable(name))'. 'backline user list' lists all users."
        case .suspended(let name):
            "The user '\(Self.printable(name))' is suspended. Reinstate them first."
        case .lastAdministrator:
            "You are the only administrator. Make somebody else an administrator first."
        case .tooManyInvitations:
            "You have \(Accounts.maximumInvitations) open invitations, the maximum. Withdraw one first."
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

    private static let longestQuote = 40

    /// The beginning of a name, with invisible characters replaced: a terminal would obey some of them.
    private static func printable(_ name: String) -> String {
        let scalars = name.unicodeScalars
        let text = scalars.prefix(longestQuote).reduce(into: "") { text, scalar in
            let isHidden = scalar.properties.isDefaultIgnorableCodePoint
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: text += "\u{FFFD}"
            default: text += isHidden ? "\u{FFFD}" : String(scalar)
            }
        }
        return scalars.count > longestQuote ? text + "…" : text
    }
}
