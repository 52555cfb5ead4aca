import Accounts
import ArgumentParser
import CommandSupport
import Model
import Storage

package struct TokenCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Manages the API tokens with which programs act for a user.",
        discussion: """
            Examples:
              backline token add ada phone
              backline token list ada

            These commands use the database directly, whether or not the gateway is running.
            """,
        subcommands: [Add.self, List.self, Revoke.self])

    package init() {}

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Creates another token for a user and prints it once.",
            discussion: """
                Examples:
                  (umask 077; backline token add ada phone > phone.token)
                  backline token add ada phone --json
                  backline token add ada ci --expires-in-days 90
                """)

        @Argument(help: "The user's name.")
        var user: String

        @Argument(help: "What the token is for, to tell it apart from the user's other tokens.")
        var name: String

        @Option(name: .long, help: "Days until the token expires, 1 to 3650. Without it, the token never expires.")
        var expiresInDays: Int?

        @Flag(name: .long, help: "Prints JSON: id, name and token.")
        var json = false

        @OptionGroup var options: ConfigurationOptions

        private struct Document: Encodable {
            var id: String
            var name: String
            var token: String
        }

        func validate() throws {
            guard expiresInDays.map({ (1...3_650).contains($0) }) ?? true else {
                throw ValidationError("--expires-in-days accepts 1 to 3650.")
            }
        }

        func run() async throws {
            try await CommandRun.run {
                let expiry = expiresInDays.map { Timestamp.now().advanced(by: .seconds($0 * 86_400)) }
                let (id, token) = try await options.withDatabase {
                    try await Accounts(database: $0).addToken(user: user, name: name, expiresAt: expiry)
                }
                let text = token.secret.reveal()
                try CommandOutput.print(Document(id: id, name: name, token: text), asJSON: json, words: text)
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Shows tokens, without their secrets.",
            discussion: """
                Examples:
                  backline token list
                  backline token list ada --json | jq -r '.items[].id'
                """)

        @Argument(help: "The user's name; without it, the tokens of all users.")
        var user: String?

        @Flag(name: .long, help: "Prints JSON.")
        var json = false

        @OptionGroup var options: ConfigurationOptions

        private struct Item: Encodable {
            var id: String
            var user: String
            var name: String
            var createdAt: String
            var lastUsedAt: String?
            var expiresAt: String?
        }

        func run() async throws {
            try await CommandRun.run {
                let user = user
                let items = try await options.withReadOnlyDatabase { database in
                    try await database.read { reader in
                        let users = try user.map { name in
                            guard let record = try reader.accounts.user(named: name) else {
                                throw AccountError.unknownUser(name)
                            }
                            return [record]
                        }
                        return try (users ?? reader.accounts.users()).flatMap { user in
                            try reader.accounts.tokens(ofUser: user.id).map {
                                Item(
                                    id: $0.id, user: user.name, name: $0.name, createdAt: "\($0.createdAt)",
                                    lastUsedAt: $0.lastUsedAt.map { "\($0)" },
                                    expiresAt: $0.expiresAt.map { "\($0)" })
                            }
                        }
                    }
                }
                try CommandOutput.print(
                    items: items, asJSON: json, none: "There are no tokens.",
                    columns: [
                        TableColumn(title: "Id", cells: items.map { .init($0.id) }),
                        TableColumn(
                            title: "User", cells: items.map { .init(TextWidth.printable($0.user)) }, minimum: 8),
                        TableColumn(
                            title: "Name", cells: items.map { .init(TextWidth.printable($0.name)) }, minimum: 8),
                        TableColumn(
                            title: "Made", cells: items.map { .init(HumanTime.text(rfc3339: $0.createdAt)) },
                            dropOrder: 1),
                        TableColumn(
                            title: "Last used",
                            cells: items.map { .init($0.lastUsedAt.map { HumanTime.text(rfc3339: $0) } ?? "never") },
                            dropOrder: 2),
                        TableColumn(
                            title: "Expires",
                            cells: items.map { .init($0.expiresAt.map { HumanTime.text(rfc3339: $0) } ?? "never") },
                            dropOrder: 3),
                    ])
            }
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke", abstract: "Revokes tokens, and the sessions that were started with them.",
            discussion: """
                Example: backline token revoke 019a8f1e-4f8e-7c11-b6bd-0a8d7a4c53a1

                'backline token list' shows the ids. A running gateway refuses revoked tokens within seconds.
                """)

        @Argument(help: "Ids of tokens.")
        var ids: [String]

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            try await CommandRun.run {
                try await options.withDatabase { database in
                    for id in ids {
                        let token = try await Accounts(database: database).revokeToken(id: id)
                        try CommandOutput.print("Revoked: \(TextWidth.printable(token.name)) (\(id))")
                    }
                }
            }
        }
    }
}
