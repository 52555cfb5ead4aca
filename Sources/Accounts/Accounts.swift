import Model
import Storage

/// Who may use this installation.
package struct Accounts: Sendable {
    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// Makes a user with a first token.
    ///
    /// - Parameter name: 1 … 100 characters without control characters; unique.
    /// - Throws: ``AccountError``.
    package func addUser(name: String) async throws -> AccessToken {
        // Scalars, because one grapheme cluster may have any number of combining marks.
        let scalars = name.unicodeScalars
        guard (1...100).contains(scalars.count), !scalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw AccountError.invalidName(name) }
        let token = AccessToken.random()
        let hash = token.hash
        try await database.write { transaction in
            guard try transaction.user(named: name) == nil else { throw AccountError.nameTaken(name) }
            let id = UUIDv7.next()
            let now = Timestamp.now()
            try transaction.insertUser(id: id, name: name, now: now)
            try transaction.insertToken(hash: hash, userID: id, now: now)
        }
        return token
    }

    /// Whose token it is.
    package func user(for token: AccessToken) async throws -> UserRecord? {
        let hash = token.hash
        return try await database.read { try $0.user(tokenHash: hash) }
    }
}

package enum AccountError: Error, Sendable, Equatable, CustomStringConvertible {
    case invalidName(String)
    case nameTaken(String)

    package var description: String {
        switch self {
        case .invalidName(let name):
            "'\(Self.printable(name))' cannot be a user's name: it takes 1 to 100 characters, "
                + "none of them control characters."
        case .nameTaken(let name):
            "There is a user named '\(name)' already. Choose another name."
        }
    }

    /// The beginning of a name that may hold what a terminal would obey.
    private static func printable(_ name: String) -> String {
        name.unicodeScalars.prefix(40).reduce(into: "") { text, scalar in
            text += scalar.properties.generalCategory == .control ? "\u{FFFD}" : String(scalar)
        }
    }
}
