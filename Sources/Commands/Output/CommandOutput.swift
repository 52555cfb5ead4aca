import Foundation

/// What a command prints: results on standard output, everything else on standard error.
enum CommandOutput {
    /// Prints a result. A reader that has seen enough (`| head`) is no error; one that cannot take it, such as
    /// a full disk, is.
    static func print(_ text: String) throws(UnwritableOutput) {
        let failure = write(text + "\n", to: STDOUT_FILENO)
        if let failure, failure != EPIPE { throw UnwritableOutput(reason: String(cString: strerror(failure))) }
    }

    /// Prints a table as wide as the terminal.
    static func print(columns: [TableColumn]) throws(UnwritableOutput) {
        let terminal = Terminal.current()
        let lines = TableLayout(columns, width: terminal.width).lines(isColoured: terminal.isColoured)
        try print(lines.joined(separator: "\n"))
    }

    static func complain(_ text: String) {
        show("backline: " + text + "\n")
    }

    /// Writes to standard error as it is. There is nobody to tell when that fails.
    static func show(_ text: String) {
        _ = write(text, to: STDERR_FILENO)
    }

    /// Makes a write to a pipe without a reader an error of that write, where it would end the process.
    static func surviveClosedPipes() {
        signal(SIGPIPE, SIG_IGN)
    }

    /// - Returns: `errno` of the write that failed, if one did.
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

/// Standard output did not take a result.
struct UnwritableOutput: Error, CustomStringConvertible {
    let reason: String

    var description: String { "The result cannot be written to standard output: \(reason)." }
}
