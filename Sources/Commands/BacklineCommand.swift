import ArgumentParser
import Bootstrap

/// `backline`: the command line.
package struct BacklineCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "backline",
        abstract: "Runs and looks after a Backline installation.",
        version: BacklineVersion.current,
        subcommands: [MigrateCommand.self, SearchCommand.self, UserCommand.self])

    package init() {}
}

/// What all commands share.
struct ConfigurationOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("Read the configuration from this file.", valueName: "path"))
    var config: String?

    /// Loads the configuration; its problems are told on standard error.
    func load() throws -> BacklineConfiguration {
        do {
            let loaded = try BacklineConfiguration.load(file: config, environment: CommandEnvironment.variables)
            for warning in loaded.warnings { CommandOutput.complain("warning: \(warning.text)") }
            return loaded.configuration
        } catch {
            for problem in error.problems { CommandOutput.complain("\(problem)") }
            throw ExitCode(78)
        }
    }
}
