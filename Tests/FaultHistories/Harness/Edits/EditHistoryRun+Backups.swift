import Model
import Storage
import TestProcesses
import TestSupport

extension EditHistoryRun {
    private var backup: String { "\(installation.folder)/backup.sqlite" }

    func backUp() async throws {
        let command = try installation.start("backline", ["backup", backup, "--force"])
        // A stopped process may hold a lock.
        _ = try? await eventually("the backup", within: .seconds(5)) { !command.isRunning }
        if command.isRunning { command.kill() }
        let end = try await command.waitForEnd()
        guard end == .exited(0) else { return }
        hasBackup = true
    }

    func restore() async throws {
        guard hasBackup else { return }
        for role in Role.allCases { resume(role) }
        for role in Role.allCases { drain(role) }
        for role in Role.allCases {
            guard let process = processes[role]?.process else { continue }
            _ = try? await eventually("the end of \(role)", within: .seconds(8)) { !process.isRunning }
            try await kill(role)
        }
        // None of them may open the database again.
        for task in pending { await task.value }
        pending = []
        let before = try await editStates()
        await installation.closeDatabase()
        let command = try await installation.command("restore", backup)
        guard command.end == .exited(0) else {
            throw UnexpectedAnswer(description: "restore: \(command.errors.lines.suffix(3))")
        }
        // A token that has been renewed since is invalid.
        disconnected.insert(.spotify)
        let after = try await editStates()
        for index in record.requests.indices {
            switch record.requests[index].answer {
            case .accepted(let id):
                guard let state = after[id]?.state else {
                    record.requests[index].forgotten = before[id] ?? .init(state: "unknown", done: 0)
                    continue
                }
                if !["complete", "failed"].contains(state) { record.requests[index].wasRewound = true }
            case .lost: record.requests[index].forgotten = .init(state: "unknown", done: 0)
            case .refused, .none: break
            }
        }
        for role in Role.allCases { try await start(role) }
    }

    /// All edits and copies by their ids.
    private func editStates() async throws -> [String: EditRecord.LostProgress] {
        try await installation.withDatabase { database in
            try await database.read { reader in
                var states: [String: EditRecord.LostProgress] = [:]
                for row in try reader.rows(
                    """
                    SELECT id, state, done, error_code FROM library_edits
                    UNION ALL SELECT id, state, 0, NULL FROM library_copies
                    """)
                {
                    states[LibraryID(key: try row["id"]).text] = .init(
                        state: try row["state"], done: try row["done"], error: try row["error_code"])
                }
                return states
            }
        }
    }
}
