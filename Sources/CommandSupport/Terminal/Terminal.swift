import Foundation

/// The terminal that a command writes to.
package struct Terminal: Equatable {
    /// The width without a terminal.
    static let standardWidth = 120

    /// The width of standard output, in columns.
    package var width: Int
    /// Whether standard output is a terminal and colors are wanted.
    package var isColored: Bool
    /// Whether standard error is a terminal that can redraw a line.
    package var showsProgress: Bool

    /// - Parameters:
    ///   - windowWidth: the terminal's columns; `nil` when standard output is not a terminal or its width is unknown.
    ///   - environment: `COLUMNS` overrides the width. A `NO_COLOR` that is not empty turns colors off
    ///     (no-color.org). A `TERM` of `dumb` can neither color nor redraw.
    init(
        outputIsTerminal: Bool, errorIsTerminal: Bool, windowWidth: Int?, environment: [String: String]
    ) {
        let columns = environment["COLUMNS"].flatMap(Int.init)
        width = [columns, windowWidth].compactMap { $0 }.first { $0 > 0 } ?? Self.standardWidth
        let isCapable = environment["TERM"] != "dumb"
        isColored = outputIsTerminal && isCapable && environment["NO_COLOR", default: ""].isEmpty
        showsProgress = errorIsTerminal && isCapable
    }

    /// The terminal of this process.
    package static func current() -> Terminal {
        Terminal(
            outputIsTerminal: isatty(STDOUT_FILENO) == 1, errorIsTerminal: isatty(STDERR_FILENO) == 1,
            windowWidth: columns(of: STDOUT_FILENO), environment: ProcessInfo.processInfo.environment)
    }

    private static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
