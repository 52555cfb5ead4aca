import ArgumentParser

/// The exit statuses that all commands share, after BSD's sysexits.h where it has one.
enum CommandExit {
    static let usage = ExitCode(64)
    static let unreachable = ExitCode(69)
    static let unwritable = ExitCode(74)
    static let notAuthorized = ExitCode(77)
}
