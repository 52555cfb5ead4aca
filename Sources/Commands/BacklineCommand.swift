import ArgumentParser
import Composition
import Bootstrap
import CommandSupport

/// `backline`: the command line.
package struct BacklineCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "backline",
        abstract: "Uses and administers a Backline installation.",
        discussion: """
            Examples:
              backline user add ada          a user; prints her token, once
              backline open ada              a link that signs her in to the pages
              backline doctor                what is wrong, and what to do about it
              backline jobs watch            the changes of your jobs, as they happen

            Commands that use the gateway take its address from --server, BACKLINE_SERVER or the configuration, and \
            your token from the file that --token-file or BACKLINE_TOKEN_FILE names, or from BACKLINE_TOKEN. The \
            others use the database that the configuration names.

            Exit status:
            \(CommandExit.lines.joined(separator: "\n"))

            Colors are used only on a terminal, and not when NO_COLOR is set. Completion of commands and options: \
            backline --generate-completion-script bash (or zsh, fish).
            """,
        version: BacklineVersion.current,
        groupedSubcommands: [
            CommandGroup(name: "Using it", subcommands: .all(in: .use) + [JobsCommand.self]),
            CommandGroup(name: "People", subcommands: .all(in: .people)),
            CommandGroup(
                name: "Administration",
                subcommands: [
                    DoctorCommand.self, WorkersCommand.self, PermitsCommand.self, KeysCommand.self, VaultCommand.self,
                    MigrateCommand.self, BackupCommand.self, RestoreCommand.self, CompactCommand.self,
                    IdentityCommand.self,
                ]),
        ])

    package init() {}
}
