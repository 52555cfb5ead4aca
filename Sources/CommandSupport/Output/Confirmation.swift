import ArgumentParser
import Foundation

/// Asks for confirmation before an action that cannot be undone.
package enum Confirmation {
    /// Returns if the person answers yes.
    ///
    /// - Parameter isGiven: whether `--yes` was given, so that nobody is asked.
    /// - Throws: ``CommandExit/usage`` without a terminal, ``CommandExit/cancelled`` for any other answer.
    package static func ask(_ question: String, isGiven: Bool) throws {
        if isGiven { return }
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
            CommandOutput.complain("\(question) There is no terminal to ask on; confirm with --yes.")
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
