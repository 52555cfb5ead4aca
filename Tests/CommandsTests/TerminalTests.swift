import Testing

@testable import CommandSupport

@Suite("The terminal")
struct TerminalTests {
    @Test(
        "COLUMNS overrides the terminal's width, and without either it is 120",
        arguments: [
            (["COLUMNS": "90"], 100, 90), (["COLUMNS": "0"], 100, 100), (["COLUMNS": "wide"], nil, 120),
            ([:], 100, 100),
            ([:], nil, 120),
        ] as [([String: String], Int?, Int)])
    func precedenceOfWidths(environment: [String: String], window: Int?, expected: Int) {
        let terminal = Terminal(
            outputIsTerminal: true, errorIsTerminal: true, windowWidth: window, environment: environment)
        #expect(terminal.width == expected)
    }

    @Test("Output is colored only on a terminal that is not dumb, and without NO_COLOR")
    func coloredTerminals() {
        func isColored(_ isTerminal: Bool, _ environment: [String: String]) -> Bool {
            Terminal(outputIsTerminal: isTerminal, errorIsTerminal: true, windowWidth: 80, environment: environment)
                .isColored
        }
        #expect(isColored(true, ["TERM": "xterm"]))
        #expect(isColored(true, ["NO_COLOR": ""]))
        #expect(!isColored(true, ["NO_COLOR": "1"]))
        #expect(!isColored(true, ["TERM": "dumb"]))
        #expect(!isColored(false, ["TERM": "xterm"]))
    }

    @Test("Progress is drawn only on a terminal")
    func progressOnlyOnATerminal() {
        func showsProgress(_ isTerminal: Bool, _ environment: [String: String]) -> Bool {
            Terminal(outputIsTerminal: true, errorIsTerminal: isTerminal, windowWidth: 80, environment: environment)
                .showsProgress
        }
        #expect(showsProgress(true, ["NO_COLOR": "1"]))
        #expect(!showsProgress(true, ["TERM": "dumb"]))
        #expect(!showsProgress(false, [:]))
    }
}
