import Accounts
import ArgumentParser
import CommandSupport
import Foundation
import Model
import Storage

package struct OpenCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Prints a link that signs a user in to the pages, once, within ten minutes.",
        discussion: """
            Examples:
              backline open ada
              backline open --browser
              backline open ada --server https://music.example

            Anybody who has the link can sign in as ada with it: do not send it where others can read it.
            """)

    @Argument(help: "The user's name; not needed if there is only one user.")
    var user: String?

    @Flag(name: .long, help: "Also opens it in a browser, if this is a terminal on a desktop.")
    var browser = false

    @Flag(name: .long, help: "Prints JSON: user, url and expiresAt.")
    var json = false

    @OptionGroup var server: ServerOptions

    private struct Document: Encodable {
        var user: String
        var url: String
        var expiresAt: String
    }

    package init() {}

    package func run() async throws {
        try await CommandRun.run {
            let address = try server.address()
            let (name, link, expiry) = try await server.configuration.withDatabase { database in
                let accounts = Accounts(database: database)
                let name = try Self.onlyName(given: user, among: try await accounts.users().map(\.name))
                let now = Timestamp.now()
                let code = try await accounts.signInLink(user: name, now: now)
                return (
                    name, Self.link(to: address, code: code.secret.reveal()),
                    now.advanced(by: Accounts.signInLinkLifetime)
                )
            }
            try CommandOutput.print(
                Document(user: name, url: link, expiresAt: "\(expiry)"), asJSON: json, words: link)
            guard browser else { return }
            guard Browser.isAvailable else {
                return CommandOutput.complain("No browser was opened, since this is not a terminal on a desktop.")
            }
            try Browser.open(link)
        }
    }

    /// The code is in the fragment, which browsers do not send, so that it does not end up in any server's log.
    static func link(to address: GatewayAddress, code: String) -> String { "\(address)/sign-in#\(code)" }

    static func onlyName(given: String?, among names: [String]) throws -> String {
        if let given { return given }
        switch names.count {
        case 0: throw CommandFailure(description: "There are no users. 'backline user add NAME' adds one.")
        case 1: return names[0]
        default:
            let shown = names.prefix(5).map(TextWidth.printable).joined(separator: ", ")
            let more = names.count > 5 ? ", …" : ""
            throw ValidationError("Whose link? Name one of the users: \(shown)\(more).")
        }
    }
}
