package enum AccountError: Error, Sendable, Equatable, CustomStringConvertible {
    case invalidName(String)
    case nameTaken(String)
    case unknownUser(String)
    case invalidTokenName(String)
    case tokenNameTaken(String)
    case tooManyTokens
    case unknownToken(String)
    /// Of Google's, not one of ours.
    case idTokenUsed

    package var description: String {
        switch self {
        case .invalidName(let name):
            "'\(Self.printable(name))' cannot be a user's name: \(Self.nameRule)"
        case .nameTaken(let name):
            "There is a user named '\(name)' already. Choose another name."
        case .unknownUser(let name):
            "There is no user named '\(Self.printable(name))'. 'backline user list' names them all."
        case .invalidTokenName(let name):
            "'\(Self.printable(name))' cannot be a token's name: \(Self.nameRule)"
        case .tokenNameTaken(let name):
            "There is a token named '\(name)' already. Choose another name, or revoke that one first."
        case .tooManyTokens:
            "\(Accounts.maximumTokens) tokens are the most that a user may have. Revoke one that is not used any more."
        case .idTokenUsed:
            "This ID token has signed somebody in before, and does so once. Get a new one from Google, and send that."
        case .unknownToken(let id):
            "There is no token with the id '\(Self.printable(id))'. 'backline token list' names them all."
        }
    }

    private static let nameRule =
        "it takes 1 to 100 characters, one of them visible and none of them a control character."

    /// The beginning of a name that may hold what a terminal would obey.
    private static func printable(_ name: String) -> String {
        name.unicodeScalars.prefix(40).reduce(into: "") { text, scalar in
            text += scalar.properties.generalCategory == .control ? "\u{FFFD}" : String(scalar)
        }
    }
}
