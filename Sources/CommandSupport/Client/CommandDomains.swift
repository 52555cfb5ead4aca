import Domains

/// The domains of the program whose commands run.
package enum CommandDomains {
    /// Set by the executable for the whole command. It is not a parameter, because ArgumentParser makes the commands.
    @TaskLocal package static var all: [Domain] = []
}
