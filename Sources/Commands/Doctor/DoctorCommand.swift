import ArgumentParser
import Bootstrap
import CommandSupport
import Foundation
import Model
import Settings

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Finds problems with an installation and says what to do about them.",
        discussion: """
            It checks the configuration, libraries, files, messaging, disk, database, write lock, erasure of removed \
            people, clock, gateway, workers, keys, vault, private texts, permits, queue and pushes, and changes \
            nothing. Run it as the account that runs Backline. With an administrator's token, it also asks the \
            gateway about its workers. Keys and tokens are never shown.

            Examples:
              backline doctor
              backline doctor --deep           also reads the whole database file
              backline doctor --json | jq '.findings[] | select(.severity != "ok")'

            Exit status: 0 no problems, perhaps warnings; 1 a problem.
            """)

    @Flag(name: .long, help: "Checks the whole database file for damage, which takes a while.")
    var deep = false

    @Flag(name: .long, help: "Prints JSON: isWell, problems, warnings and findings.")
    var json = false

    @OptionGroup(title: "The gateway") var gateway: GatewayOptions

    func run() async throws {
        try await CommandRun.run {
            let report = DoctorReport(findings: try await findings())
            let terminal = Terminal.current()
            try CommandOutput.print(
                report, asJSON: json,
                words: report.lines(isColored: terminal.isColored).joined(separator: "\n"))
            if report.worst == .problem { throw CommandExit.failure }
        }
    }

    private func findings() async throws -> [Finding] {
        let loaded: LoadedConfiguration
        do {
            loaded = try gateway.server.configuration.loadAll()
        } catch let error as ConfigurationError {
            // The other checks need the configuration.
            return DoctorCheck.findings(of: error)
        }
        let environment = ProcessInfo.processInfo.environment
        let context = DoctorContext(
            domains: CommandDomains.all, configuration: loaded.configuration, configurationFile: loaded.file,
            configurationWarnings: loaded.warnings, environment: environment,
            gateway: address(loaded.configuration, environment: environment),
            token: try? TokenSource(file: gateway.tokenFile, environment: environment).token(),
            isInsecure: gateway.insecure, isDeep: deep)
        var findings: [Finding] = []
        for check in DoctorCheck.all { findings += await check.findings(in: context) }
        return findings
    }

    private func address(_ configuration: BacklineConfiguration, environment: [String: String]) -> GatewayAddress? {
        let named =
            gateway.server.server ?? environment[CommandLineVariable.server.rawValue].flatMap { $0.isEmpty ? nil : $0 }
        if let named { return GatewayAddress(named) }
        let http = configuration.http
        return http.port == 0 ? nil : GatewayAddress(host: http.host, port: http.port)
    }
}
