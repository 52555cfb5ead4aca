import ArgumentParser
import CommandSupport
import Foundation

/// Lines of JSON from standard input.
enum LineInput {
    /// A line that cannot be used, with the reason as text for people.
    struct Failure: FailureWithStatus, CustomStringConvertible {
        let line: Int
        let reason: String
        var status: ExitCode { CommandExit.unusableInput }

        init(_ line: Int, _ reason: String) {
            self.line = line
            self.reason = reason
        }

        var description: String { "Line \(line) cannot be read: \(reason)" }
    }

    /// Spaces, tabs, and the carriage return of Windows' line ends. Other control characters are not JSON, and an
    /// error.
    private static let blanks: Set<UInt8> = [0x20, 0x09, 0x0D]

    /// Reads all lines, and writes what `body` returns for each one. Blank lines are skipped, but counted.
    ///
    /// A program that sends lines one at a time gets the results one at a time.
    ///
    /// - Parameter body: gets a line and its number, which counts from 1.
    static func read<Line: Decodable>(_ body: (Line, Int) throws -> String?) throws {
        let decoder = JSONDecoder()
        var number = 0
        var rest = Data()
        var output: [String] = []
        func use(_ line: Data) throws {
            number += 1
            if line.allSatisfy(blanks.contains) { return }
            let decoded: Line
            do {
                decoded = try decoder.decode(Line.self, from: line)
            } catch {
                throw Failure(number, reason(error))
            }
            if let text = try body(decoded, number) { output.append(text) }
        }
        do {
            while true {
                let chunk = FileHandle.standardInput.availableData
                if chunk.isEmpty { break }
                rest.append(chunk)
                var start = rest.startIndex
                while let end = rest[start...].firstIndex(of: 0x0A) {
                    try use(rest[start..<end])
                    start = end + 1
                }
                rest = Data(rest[start...])
                try CommandOutput.write(lines: output)
                output.removeAll(keepingCapacity: true)
            }
            if !rest.isEmpty { try use(rest) }
        } catch {
            // The results for the earlier lines remain valid.
            try CommandOutput.write(lines: output)
            throw error
        }
        try CommandOutput.write(lines: output)
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, let context): "\(path(context.codingPath + [key])) is missing."
        case DecodingError.valueNotFound(_, let context): "\(path(context.codingPath)) is missing."
        case DecodingError.typeMismatch(_, let context): "\(path(context.codingPath)) has a value of the wrong type."
        default: "It is not a JSON object."
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.isEmpty ? "The line" : keys.map(\.stringValue).joined(separator: ".")
    }
}

extension CommandOutput {
    static func write(lines: [String]) throws(UnwritableOutput) {
        if !lines.isEmpty { try print(lines.joined(separator: "\n")) }
    }
}
