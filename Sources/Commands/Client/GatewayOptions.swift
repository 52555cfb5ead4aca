import ArgumentParser
import Bootstrap
import Model

/// Where the gateway is and who asks it, for every command that goes through it.
struct GatewayOptions: ParsableArguments {
    typealias Variable = CommandLineVariable

    static let version = BacklineVersion.current

    @OptionGroup var server: ServerOptions

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A file that holds your token.", discussion: "Else BACKLINE_TOKEN_FILE, else BACKLINE_TOKEN.",
            valueName: "path"),
        completion: .file())
    var tokenFile: String?

    @Flag(
        name: .long, help: "Lets your token go over plain http to another machine, where others may read it.")
    var insecure = false

    /// The gateway's address; what is wrong is told on standard error.
    func address(environment: [String: String] = CommandEnvironment.variables) throws -> GatewayAddress {
        try server.address(environment: environment)
    }

    /// The person's token; what is wrong is told on standard error.
    func token(environment: [String: String] = CommandEnvironment.variables) throws -> Secret {
        do {
            return try TokenSource(file: tokenFile, environment: environment).token()
        } catch {
            CommandOutput.complain(error.description)
            throw CommandExit.notAuthorized
        }
    }

    /// Runs `body` with a client in the person's name; errors are told, and end the process with their status.
    func withClient(_ body: (GatewayClient) async throws -> Void) async throws {
        try await CommandRun.run {
            let address = try address()
            let token = try token()
            try await GatewayClient.with(address, token: token, isInsecure: insecure, body)
        }
    }
}
