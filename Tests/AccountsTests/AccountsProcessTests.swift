import Accounts
import Composition
import Domains
import Model
import Storage
import TestSupport
import Testing

@Suite("Users added by processes", .timeLimit(.minutes(5)))
struct AccountsProcessTests {
    private func add(_ name: String, to folder: TemporaryFolder) throws -> ChildProcess {
        try ChildProcess(
            Executable.product("backline"), ["user", "add", name],
            environment: ["BACKLINE_DATABASE_PATH": folder.file("test.sqlite")], folder: folder.path)
    }

    @Test("Two processes that add users to a new database at once both succeed")
    func differentNames() async throws {
        let folder = try TemporaryFolder()
        let names = ["ada", "bob"]
        let processes = try names.map { try add($0, to: folder) }
        var tokens: [String] = []
        for process in processes {
            #expect(try await process.waitForEnd() == .exited(0))
            tokens += process.output.lines
        }
        let database = try Database.open(path: folder.file("test.sqlite"), schema: Schema(of: .all))
        defer { database.close() }
        let accounts = Accounts(database: database)
        for (token, name) in zip(tokens, names) {
            #expect(try await accounts.user(for: APIToken(secret: Secret(token)))?.name == name)
        }
    }

    @Test("When two processes add the same name at once, one gets a token")
    func sameName() async throws {
        let folder = try TemporaryFolder()
        let processes = try (0..<2).map { _ in try add("ada", to: folder) }
        var ends: [ChildProcess.End] = []
        for process in processes { ends.append(try await process.waitForEnd()) }
        #expect(ends.count { $0 == .exited(0) } == 1, "\(ends)")
        let database = try Database.open(path: folder.file("test.sqlite"), schema: Schema(of: .all))
        defer { database.close() }
        #expect(try await database.read { try $0.rows("SELECT id FROM users").count } == 1)
        #expect(try await database.read { try $0.rows("SELECT hash FROM tokens").count } == 1)
    }
}
