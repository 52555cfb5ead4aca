import ArgumentParser
import Bootstrap
import Foundation
import Model

/// The gateway's address.
package struct ServerOptions: ParsableArguments {
    typealias Variable = CommandLineVariable

    @OptionGroup package var configuration: ConfigurationOptions

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The gateway's address.",
            discussion: "Without it, BACKLINE_SERVER; without that, http.host and http.port of the configuration.",
            valueName: "url"))
    package var server: String?

    package init() {}

    package func validate() throws {
        if let server, GatewayAddress(server) == nil {
            throw ValidationError("--server is '\(server)'; \(GatewayAddress.allowed).")
        }
    }

    /// The gateway's address. Problems are printed to standard error.
    package func address(environment: [String: String] = ProcessInfo.processInfo.environment) throws -> GatewayAddress {
        if let server, let address = GatewayAddress(server) { return address }
        if let text = environment[Variable.server.rawValue], !text.isEmpty {
            guard let address = GatewayAddress(text) else {
                CommandOutput.complain("\(Variable.server.rawValue) is '\(text)'; \(GatewayAddress.allowed).")
                throw CommandExit.usage
            }
            return address
        }
        let http = try configuration.load().http
        guard http.port != 0 else {
            CommandOutput.complain(
                "http.port is 0, so the gateway uses any free port. Give the address from its log with --server or "
                    + "\(Variable.server.rawValue).")
            throw CommandExit.usage
        }
        return GatewayAddress(host: http.host, port: http.port)
    }
}
