import Foundation
import TestProcesses
import TestSupport
import Testing

/// How a command ended and what it printed.
struct CommandResult: Sendable {
    var status: Int32
    var output: [String]
    var errors: [String]

    var text: String { output.joined(separator: "\n") }

    /// Its output, read as one JSON document.
    var json: JSON {
        get throws { try JSONDecoder().decode(JSON.self, from: Data(text.utf8)) }
    }

    func decode<Value: Decodable>(_: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    }
}

extension Installation {
    /// Runs `backline` to its end, against this installation's gateway.
    ///
    /// - Parameter client: the user whose token the command has.
    func backline(
        _ arguments: String..., as client: APIClient? = nil, environment: [String: String] = [:]
    ) async throws -> CommandResult {
        let process = try startBackline(arguments, as: client, environment: environment)
        let end = try await process.waitForEnd()
        guard case .exited(let status) = end else {
            throw UnexpectedAnswer(description: "backline \(arguments): \(end)")
        }
        return CommandResult(status: status, output: process.output.lines, errors: process.errors.lines)
    }

    /// Starts `backline` and returns at once.
    func startBackline(
        _ arguments: [String], as client: APIClient? = nil, environment: [String: String] = [:]
    ) throws -> ChildProcess {
        var variables = ["BACKLINE_SERVER": visitor.baseURL]
        variables["BACKLINE_TOKEN"] = client?.token
        return try start("backline", arguments, environment: variables.merging(environment) { _, given in given })
    }
}
