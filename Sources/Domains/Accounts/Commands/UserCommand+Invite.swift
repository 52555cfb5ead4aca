import Accounts
import ArgumentParser
import CommandSupport
import Model
import Storage

extension UserCommand {
    struct Invite: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "invite", abstract: "Prints a link with which one person makes an account, within seven days.",
            discussion: """
                Examples:
                  backline user invite
                  backline user invite --server https://music.example

                Whoever opens the link first chooses a username and is signed in. Administrators can invite in the \
                pages as well, and everyone if accounts.invitations says so.
                """)

        @Flag(name: .long, help: "Prints JSON: id, url and expiresAt.")
        var json = false

        @OptionGroup var server: ServerOptions

        private struct Document: Encodable {
            var id: String
            var url: String
            var expiresAt: String
        }

        func run() async throws {
            try await CommandRun.run {
                let address = try server.address()
                let (record, code) = try await server.configuration.withDatabase {
                    try await Accounts(database: $0).invite(by: nil)
                }
                // The code is in the fragment, which browsers do not send, so that it does not end up in any log.
                let link = "\(address)/invitation#\(code.secret.reveal())"
                try CommandOutput.print(
                    Document(id: record.id, url: link, expiresAt: "\(record.expiresAt)"), asJSON: json, words: link)
            }
        }
    }

    struct ReleaseName: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "release-name", abstract: "Frees a username that is held for somebody who gave it up.",
            discussion: """
                Nobody gets a username for 90 days after its person has changed it, and for a year after its person was \
                erased. This ends the wait. It does not take a username from anybody.

                Example: backline user release-name ada
                """)

        @Argument(help: "The username.")
        var name: String

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            try await CommandRun.run {
                let wasHeld = try await options.withDatabase { try await Accounts(database: $0).releaseName(name) }
                guard wasHeld else {
                    throw CommandFailure(description: "The username '\(name)' is not held.")
                }
            }
        }
    }
}
