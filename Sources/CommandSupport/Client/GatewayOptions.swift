import ArgumentParser
import Bootstrap
import Foundation
import Model

/// The gateway's address and the user's token, for every command that sends requests to the gateway.
package struct GatewayOptions: ParsableArguments {
    typealias Variable = CommandLineVariable

    static let version = BacklineVersion.current

    @OptionGroup package var server: ServerOptions

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A file with your token.", discussion: "Without it, BACKLINE_TOKEN_FILE; without that, BACKLINE_TOKEN.",
            valueName: "path"),
        completion: .file())
    package var tokenFile: String?

    @Flag(
        name: .long, help: "Sends your token to another machine even over plain http, where others may read it.")
    package var insecure = false

    package init() {}

    /// The gateway's address. Problems are printed to standard error.
    package func address(environment: [String: String] = ProcessInfo.processInfo.environment) throws -> GatewayAddress {
        try server.address(environment: environment)
    }

    /// The user's token. Problems are printed to standard error.
    package func token(environment: [String: String] = ProcessInfo.processInfo.environment) throws -> Secret {
        do {
            return try TokenSource(file: tokenFile, environment: environment).token()
        } catch {
            CommandOutput.complain(error.description)
            throw CommandExit.notAuthorized
        }
    }

    /// Runs `body` with a client that sends the user's token. An error is printed, and ends the process with its
    /// status.
    package func withClient(_ body: (GatewayClient) async throws -> Void) async throws {
        try await CommandRun.run {
            let address = try address()
            let token = try token()
            try await GatewayClient.with(address, token: token, isInsecure: insecure, body)
        }
    }
}
