import Foundation

/// Prints results to standard output, and everything else to standard error.
package enum CommandOutput {
    /// Prints a result. A closed pipe (`| head`) is not an error.
    ///
    /// - Throws: when the result cannot be written, as on a full disk.
    package static func print(_ text: String) throws(UnwritableOutput) {
        let failure = write(text + "\n", to: STDOUT_FILENO)
        if let failure, failure != EPIPE { throw UnwritableOutput(reason: String(cString: strerror(failure))) }
    }

    /// Prints a table as wide as the terminal.
    package static func print(columns: [TableColumn]) throws(UnwritableOutput) {
        let terminal = Terminal.current()
        let lines = TableLayout(columns, width: terminal.width).lines(isColored: terminal.isColored)
        try print(lines.joined(separator: "\n"))
    }

    package static func complain(_ text: String) {
        show("backline: " + text + "\n")
    }

    /// Writes the text to standard error unchanged. Errors are ignored.
    package static func show(_ text: String) {
        _ = write(text, to: STDERR_FILENO)
    }

    /// Ignores SIGPIPE, so that a write to a closed pipe fails with EPIPE and does not end the process.
    static func ignoreBrokenPipes() {
        signal(SIGPIPE, SIG_IGN)
    }

    /// - Returns: `errno` if a write failed.
    private static func write(_ text: String, to descriptor: Int32) -> Int32? {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0 {
                if errno == EINTR { continue }
                return errno
            }
            rest = rest.dropFirst(written)
        }
        return nil
    }
}

/// A result could not be written to standard output.
package struct UnwritableOutput: Error, CustomStringConvertible {
    let reason: String

    package var description: String { "The result cannot be written to standard output: \(reason)." }
}
