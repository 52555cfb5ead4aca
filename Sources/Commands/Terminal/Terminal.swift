import Foundation

/// What is known of the terminal that a command writes to.
struct Terminal: Equatable {
    /// Columns where there is no terminal to ask.
    static let standardWidth = 120

    /// Columns of standard output.
    var width: Int
    /// Whether standard output is a terminal that may be coloured.
    var isColoured: Bool
    /// Whether standard error is a terminal on which a line can be drawn again and again.
    var showsProgress: Bool

    /// - Parameters:
    ///   - windowWidth: columns as the terminal itself says; `nil` when standard output is none, or does not know.
    ///   - environment: `COLUMNS` overrides the width; `NO_COLOR`, when not empty, wants no colours
    ///     (no-color.org); a `TERM` of `dumb` can neither colour nor redraw.
    init(
        outputIsTerminal: Bool, errorIsTerminal: Bool, windowWidth: Int?, environment: [String: String]
    ) {
        let columns = environment["COLUMNS"].flatMap(Int.init)
        width = [columns, windowWidth].compactMap { $0 }.first { $0 > 0 } ?? Self.standardWidth
        let isCapable = environment["TERM"] != "dumb"
        isColoured = outputIsTerminal && isCapable && environment["NO_COLOR", default: ""].isEmpty
        showsProgress = errorIsTerminal && isCapable
    }

    /// This process's.
    static func current() -> Terminal {
        Terminal(
            outputIsTerminal: isatty(STDOUT_FILENO) == 1, errorIsTerminal: isatty(STDERR_FILENO) == 1,
            windowWidth: columns(of: STDOUT_FILENO), environment: CommandEnvironment.variables)
    }

    private static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
