import ArgumentParser
import Bootstrap
import Foundation
import Model

/// Where the gateway is and who asks it, for every command that goes through it.
struct GatewayOptions: ParsableArguments {
    typealias Variable = CommandLineVariable

    static let version = BacklineVersion.current

    @OptionGroup var configuration: ConfigurationOptions

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The gateway's address.",
            discussion: "Else BACKLINE_SERVER, else the http.host and http.port of the configuration.",
            valueName: "url"))
    var server: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A file that holds your token.", discussion: "Else BACKLINE_TOKEN_FILE, else BACKLINE_TOKEN.",
            valueName: "path"))
    var tokenFile: String?

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

    /// The person's token; what is wrong is told on standard error.
    func token(environment: [String: String] = CommandEnvironment.variables) throws -> Secret {
        do {
            return try TokenSource(file: tokenFile, environment: environment).token()
        } catch {
            CommandOutput.complain(error.description)
            throw CommandExit.notAuthorized
        }
    }
}

/// An http or https address that paths of the API are appended to.
struct GatewayAddress: Equatable, CustomStringConvertible {
    static let allowed =
        "allowed: a URL such as http://127.0.0.1:8080, with http or https and without user, query or fragment"

    /// Without a slash at the end.
    let description: String

    init?(_ text: String) {
        guard let url = URLComponents(string: text), let scheme = url.scheme?.lowercased(),
            scheme == "http" || scheme == "https", let host = url.host, !host.isEmpty, url.user == nil,
            url.password == nil, url.query == nil, url.fragment == nil, (1...65_535).contains(url.port ?? 80)
        else { return nil }
        var address = text
        while address.hasSuffix("/") { address.removeLast() }
        description = address
    }

    /// - Parameter host: what the gateway listens on. Where that is every interface, this machine is asked.
    init(host: String, port: Int) {
        let reachable =
            switch host {
            case "0.0.0.0": "127.0.0.1"
            case "::": "::1"
            default: host
            }
        description = "http://\(reachable.contains(":") ? "[\(reachable)]" : reachable):\(port)"
    }
}

/// The exit statuses that all commands share, after BSD's sysexits.h where it has one.
enum CommandExit {
    static let usage = ExitCode(64)
    static let unreachable = ExitCode(69)
    static let unwritable = ExitCode(74)
    static let notAuthorized = ExitCode(77)
}
