import Foundation
import Model
import NIOHTTP1
import Storage
import TestProcesses
import TestSupport
import Testing

/// Ada, who will leave, with everything that ties her to others, and those others.
struct LeavingInstallation: Sendable {
    let library: LibraryInstallation
    /// Words that only Ada's names and texts contain: the username, the former one, and the other texts.
    let words: [String]
    let ada: APIClient
    let id: String
    /// The others, by name: `bea` follows Ada, is followed, and makes blends with her; `cleo` follows; `dora` asks to
    /// follow; `eve` is blocked by Ada; `fay` has blocked her; `root` is an administrator.
    let others: [String: APIClient]
    /// The blend of Ada and Bea that is finished, and the one that Bea has begun, as Bea sees them.
    let blends: (finished: String, begun: String)
    /// The address of Ada's picture; `nil` where pictures cannot be read.
    let picture: String?

    var base: Installation { library.base }
    var username: String { words[0] }
    var formerUsername: String { words[1] }

    func other(_ name: String) throws -> APIClient { try #require(others[name]) }

    struct Card: Decodable, Sendable {
        var id: String
        var username: String
    }

    struct Page<Item: Decodable & Sendable>: Decodable, Sendable {
        var items: [Item]
    }

    private struct Blend: Decodable, Sendable {
        var id: String
        var state: String
    }

    static func make(in library: LibraryInstallation) async throws -> LeavingInstallation {
        let base = library.base
        let number = UInt32.random(in: 0...UInt32.max)
        let words = ["wisteria\(number)", "marjoram\(number)", "planted\(number)"]
        let blender = try await base.startWorker(.ai)
        try await base.connected(workers: 2)
        try await library.fill(library.upstreams.spotify, tracks: 60, oddities: false)
        try await library.fill(library.upstreams.appleMusic, tracks: 60, first: 20, oddities: false)
        let ada = try await base.addUser(words[1])
        var others = ["root": try await base.addAdministrator()]
        for name in ["bea", "cleo", "dora", "eve", "fay"] { others[name] = try await base.addUser(name) }
        func other(_ name: String) throws -> APIClient { try #require(others[name]) }
        try await library.connectSpotify(ada)
        try await library.connectAppleMusic(other("bea"))
        try await ada.syncsEnded()
        try await other("bea").syncsEnded()

        let texts: [String: JSON] = [
            "username": .string(words[0]), "displayName": .string("Ada \(words[2])"),
            "bio": .string("Likes \(words[2])"), "homeCity": "Prague",
        ]
        #expect(try await ada.change(.PATCH, "/v1/me", texts) == 200)
        let id = try #require(try await ada.get("/v1/me").decode(JSON.self)["id"]?.text)
        var picture: String?
        if !Seccomp.isMissing {
            let file = SamplePNG.gradient(width: 30, height: 20).bytes
            let stored = try await ada.send(
                .PUT, "/v1/me/picture", body: file, headers: ["Content-Type": "image/png"])
            picture = try stored.decode(JSON.self)["picture"]?.text
        }
        try await ada.listen(to: words[2])

        for name in ["bea", "cleo"] { try await other(name).follows(words[0]) }
        try await ada.follows("bea")
        #expect(try await ada.change(.PATCH, "/v1/me", ["profileVisibility": "followers"]) == 200)
        try await other("dora").follows(words[0])
        for (person, subject) in [(ada, "eve"), (try other("dora"), words[0]), (try other("eve"), words[0])] {
            let report: [String: JSON] = ["text": .string("About \(words[2])")]
            #expect(try await person.change(.POST, "/v1/users/\(subject)/report", report) == 202)
        }
        #expect(try await ada.send(.PUT, "/v1/users/eve/block").status == 204)
        #expect(try await other("fay").send(.PUT, "/v1/users/\(words[0])/block").status == 204)

        // One blend is finished; the next one waits for a worker that does not run; a third one waits for consent.
        let asked: Blend = try await other("bea").post("/v1/ai/blends", blend(with: words[0])).decode()
        #expect(try await ada.change(.PUT, "/v1/ai/blend-partners/bea", ["answer": "accept"]) == 204)
        try await eventually("the first blend", within: LibraryInstallation.patience) {
            try await other("bea").get("/v1/ai/blends/\(asked.id)").decode(Blend.self).state == "complete"
        }
        blender.terminate()
        try await blender.waitForEnd()
        let begun: Blend = try await other("bea").post("/v1/ai/blends", blend(with: words[0])).decode()
        #expect(try await ada.post("/v1/ai/blends", blend(with: "cleo")).status == 202)
        return LeavingInstallation(
            library: library, words: words, ada: ada, id: id, others: others, blends: (asked.id, begun.id),
            picture: picture)
    }

    private static func blend(with name: String) -> String { #"{"with":"\#(name)","size":20,"seed":9}"# }

    // MARK: The gateway

    /// The environment of a gateway that dies after the first step of an erasure.
    static let dying = ["BACKLINE_TEST_DIE_AT_ERASURE": "1"]

    /// Starts a gateway that dies after the first step of an erasure, and waits until it has died, or nothing is left to
    /// be erased.
    ///
    /// - Returns: whether it died.
    func startDyingGateway() async throws -> Bool {
        let port = try #require(base.visitor.baseURL.split(separator: ":").last)
        let gateway = try base.start(
            "api-gateway", environment: Self.dying.merging(["BACKLINE_HTTP_PORT": String(port)]) { $1 })
        try await eventually("a step of the erasure") {
            if !gateway.isRunning { return true }
            return try await isErased()
        }
        let hasDied = !gateway.isRunning
        gateway.kill()
        #expect(try await gateway.waitForEnd() == .killed(signal: SIGKILL))
        return hasDied
    }

    /// Ends the gateway at once.
    func killGateway() async throws {
        for gateway in base.running("api-gateway") {
            gateway.kill()
            try await gateway.waitForEnd()
        }
    }

    /// Whether no erasure is unfinished.
    func isErased() async throws -> Bool {
        try await base.withDatabase { database in
            try await database.read { try $0.row("SELECT 1 FROM erasures") == nil }
        }
    }

    /// Makes the database refuse the steps of an erasure that delete rows of these tables, so that it stops there.
    func hold(_ tables: [String]) async throws {
        try await runForEach(tables) { table in
            """
            CREATE TRIGGER held_\(table) BEFORE DELETE ON \(table)
            BEGIN SELECT RAISE(ABORT, 'held by a test'); END
            """
        }
    }

    func release(_ tables: [String]) async throws {
        try await runForEach(tables) { "DROP TRIGGER held_\($0)" }
    }

    private func runForEach(_ tables: [String], _ statement: @escaping @Sendable (String) -> String) async throws {
        try await base.withDatabase { database in
            try await database.write { transaction in
                for table in tables { try transaction.run(.onlySQLite(SQL(stringLiteral: statement(table)))) }
            }
        }
    }

    // MARK: Remains

    /// The tables with a text in one of their columns.
    func tables(with text: String) async throws -> Set<String> {
        try await base.withDatabase { database in
            try await database.read { reader in
                let columns = try reader.map(
                    .onlySQLite(
                        """
                        SELECT sqlite_master.name AS table_name, columns.name AS column_name
                        FROM sqlite_master JOIN pragma_table_info(sqlite_master.name) AS columns
                        WHERE sqlite_master.type = 'table'
                        """)
                ) { row in (table: try row["table_name"] as String, column: try row["column_name"] as String) }
                var found: Set<String> = []
                for (table, column) in columns where !found.contains(table) {
                    let start = #"SELECT 1 FROM "\#(table)" WHERE instr(CAST("\#(column)" AS TEXT), "#
                    let question = SQL(stringLiteral: start) + "\(text)) > 0 LIMIT 1"
                    if try reader.row(.onlySQLite(question)) != nil { found.insert(table) }
                }
                return found
            }
        }
    }

    /// Whether a file of the database, or the output of a process, has a text.
    func isAnywhere(_ text: String) -> Bool {
        for suffix in ["", "-wal"] {
            guard let bytes = FileManager.default.contents(atPath: base.databasePath + suffix) else { continue }
            if bytes.range(of: Data(text.utf8)) != nil { return true }
        }
        return base.started.contains { process in
            process.name != "upstream-sim" && process.name != "backline"
                && (process.errors.contains(text) || process.output.contains(text))
        }
    }
}

extension APIClient {
    /// Sends a JSON object.
    ///
    /// - Returns: the status.
    fileprivate func change(_ method: HTTPMethod, _ path: String, _ fields: [String: JSON]) async throws -> Int {
        try await send(method, path, body: Array(JSON.object(fields).encoded.utf8)).status
    }

    fileprivate func follows(_ username: String) async throws {
        let response = try await send(.PUT, "/v1/users/\(username)/follow")
        #expect(response.status == 200, "\(username): \(response.text)")
    }

    /// Submits a listen of a song that is named like a word, as a program does.
    fileprivate func listen(to word: String) async throws {
        let created = try await post("/v1/me/tokens", #"{"name":"player","scope":"listening"}"#).decode(JSON.self)
        let token = try #require(created["token"]?.text)
        let body = JSON.object([
            "listen_type": "single",
            "payload": .array([
                .object([
                    "listened_at": .integer(Int(Timestamp.now().microseconds / 1_000_000) - 600),
                    "track_metadata": .object(["track_name": .string(word), "artist_name": .string(word)]),
                ])
            ]),
        ])
        let answer = try await APIClient(baseURL: baseURL).post(
            "/1/submit-listens", body.encoded, headers: ["Authorization": "Token \(token)"])
        #expect(answer.status == 200, "\(answer.text)")
    }
}
