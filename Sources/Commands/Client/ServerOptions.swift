import ArgumentParser
import Bootstrap
import Model

/// Where the gateway is.
struct ServerOptions: ParsableArguments {
    typealias Variable = CommandLineVariable

    @OptionGroup var configuration: ConfigurationOptions

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The gateway's address.",
            discussion: "Else BACKLINE_SERVER, else the http.host and http.port of the configuration.",
            valueName: "url"))
    var server: String?

    func validate() throws {
        if let server, GatewayAddress(server) == nil {
            throw ValidationError("--server is '\(server)'; \(GatewayAddress.allowed).")
        }
    }

    /// The gateway's address; what is wrong is told on standard error.
    func address(environment: [String: String] = CommandEnvironment.variables) throws -> GatewayAddress {
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
                "http.port is 0, so the gateway takes any free port: give the address that its log names with --server "
                    + "or \(Variable.server.rawValue).")
            throw CommandExit.usage
        }
        return GatewayAddress(host: http.host, port: http.port)
    }
}
