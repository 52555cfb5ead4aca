import Foundation
import TestProcesses
import TestSupport
import Testing

/// Real supervisord on a copy of the shipped configuration.
struct Supervisord: Sendable {
    static let isInstalled = Executable.tool("supervisord") != nil && Executable.tool("supervisorctl") != nil
    static let whyNot: Comment = "supervisord is missing; scripts/bootstrap installs it"

    let installation: Installation
    let process: ChildProcess

    private var configuration: String { "\(installation.folder)/supervisord.conf" }
    private var socket: String { "unix://\(installation.folder)/supervisor.sock" }

    /// Runs all of Backline under it; supervisord and all its programs are gone when this returns.
    static func run(
        in installation: Installation, environment: [String: String] = [:], _ body: (Supervisord) async throws -> Void
    ) async throws {
        let folder = installation.folder
        try FileManager.default.createDirectory(atPath: "\(folder)/log", withIntermediateDirectories: true)
        try Data(Repository.text("config/supervisord.conf").utf8)
            .write(to: URL(filePath: "\(folder)/supervisord.conf"))
        let own = [
            "RUN_BIN": Executable.folder, "RUN_FOLDER": folder, "RUN_CONCERT_WORKERS": "1",
            "RUN_SIMULATOR": "false", "RUN_SIMULATOR_PORT": "0",
            "BACKLINE_DATABASE_PATH": installation.databasePath, "BACKLINE_MESSAGING_ENDPOINT": installation.endpoint,
            "BACKLINE_HTTP_PORT": "0",
        ]
        let supervisord = Supervisord(
            installation: installation,
            process: try ChildProcess(
                try #require(Executable.tool("supervisord")), ["-c", "\(folder)/supervisord.conf"],
                environment: own.merging(environment) { $1 }, folder: folder))
        do {
            try await body(supervisord)
        } catch {
            await supervisord.end()
            throw error
        }
        await supervisord.end()
    }

    /// supervisord is terminated and not killed, because its programs would keep running. A cancelled test cleans up,
    /// too.
    private func end() async {
        process.terminate()
        let end = try? await Task { () -> ChildProcess.End in
            try await eventually("the end of supervisord") { !process.isRunning }
            return try await process.waitForEnd()
        }.value
        #expect(end == .exited(0), "\(log("supervisord.log").suffix(10))")
    }

    // MARK: Its programs

    @discardableResult
    func control(_ arguments: [String]) async throws -> [String] {
        let result = try await ChildProcess.run(
            try #require(Executable.tool("supervisorctl")), ["-s", socket] + arguments)
        guard result.end == .exited(0) else {
            throw UnexpectedAnswer(description: "supervisorctl \(arguments): \(result.output.lines)")
        }
        return result.output.lines
    }

    /// Waits until a program runs as a process other than `other`; `program` is its name without the group.
    func runningProcessID(of program: String, other: Int32? = nil) async throws -> Int32 {
        try await eventually("\(program) to run") {
            let found = try await processID(of: program)
            return found == other ? nil : found
        }
    }

    private func processID(of program: String) async throws -> Int32? {
        // The exit status of this command shows whether all programs run.
        let lines = try await ChildProcess.run(
            try #require(Executable.tool("supervisorctl")), ["-s", socket, "status"]
        ).output.lines
        for line in lines {
            let fields = line.split(separator: " ", omittingEmptySubsequences: true)
            guard fields.count > 3, fields[0].split(separator: ":").last == program[...], fields[1] == "RUNNING" else {
                continue
            }
            return Int32(fields[3].filter(\.isNumber))
        }
        return nil
    }

    /// Replaces a text of the configuration, and makes supervisord load it.
    func reconfigure(_ old: String, _ new: String) async throws {
        let text = try String(contentsOfFile: configuration, encoding: .utf8)
        #expect(text.contains(old))
        try Data(text.replacing(old, with: new).utf8).write(to: URL(filePath: configuration))
        try await control(["update"])
    }

    private func log(_ name: String) -> [String] {
        let text = try? String(contentsOfFile: "\(installation.folder)/log/\(name)", encoding: .utf8)
        return (text ?? "").split(separator: "\n").map(String.init)
    }

    /// A client of the gateway that was started last, once it listens. The port changes with each start.
    func gateway(startedTimes count: Int) async throws -> APIClient {
        try await eventually("start \(count) of the gateway") {
            let addresses = log("api-gateway.out.log").filter { $0.contains("listening on") }
            guard addresses.count >= count, let address = addresses.last?.split(separator: " ").last else { return nil }
            return APIClient(baseURL: String(address))
        }
    }

    func connected(_ client: APIClient, workers: Int) async throws {
        try await eventually("\(workers) connected workers") {
            try await client.get("/readyz").decode(JSON.self)["workers"] == .integer(workers)
        }
    }
}
