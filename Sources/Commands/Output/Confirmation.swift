import ArgumentParser
import Foundation

/// Asks before something is done that cannot be undone.
enum Confirmation {
    /// Returns when the person says yes, or `--yes` did.
    static func ask(_ question: String, isGiven: Bool) throws {
        if isGiven { return }
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
            CommandOutput.complain("\(question) There is nobody to ask; say --yes.")
            throw CommandExit.usage
        }
        CommandOutput.show("\(question) [y/N] ")
        let answer = readLine()?.lowercased() ?? ""
        guard answer == "y" || answer == "yes" else {
            CommandOutput.complain("Nothing was changed.")
            throw CommandExit.cancelled
        }
    }
}
