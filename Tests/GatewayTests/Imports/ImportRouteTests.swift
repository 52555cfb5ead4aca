import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LibraryImports
import Model
import NIOCore
import Settings
import Storage
import TestSupport
import Testing

@testable import Gateway
@testable import LibraryHTTP

@Suite("Routes of imports", .timeLimit(.minutes(5)))
struct ImportRouteTests {
    private static let path = "/v1/library/imports?filename=a.csv"

    private func send(
        _ text: String, _ client: any TestClientProtocol, _ headers: HTTPFields, path: String = Self.path
    ) async throws -> TestResponse {
        try await client.execute(uri: path, method: .post, headers: headers, body: ByteBuffer(string: text))
    }

    @Test("A file is stored privately until it is read, and its import is visible only to its owner")
    func storedFileAndItsImport() async throws {
        try await TestGateway.run { gateway in
            let (ada, bob) = (try await gateway.authorization(), try await gateway.authorization("bob"))
            try await gateway.withClient { client in
                let answer = try await send("Title,Artist\nA,Ann\n", client, ada)
                #expect(answer.status == .accepted)
                let location = try #require(answer.headers[.location])
                let file = try #require(gateway.imports.files().first)
                #expect(file.bytes == 19 && gateway.imports.files().count == 1)
                #expect(try FileMode.of(gateway.imports.path(of: file.name)) == 0o600)
                #expect(try await client.execute(uri: location, method: .get, headers: ada).status == .ok)
                for method in [HTTPRequest.Method.get, .delete] {
                    #expect(try await client.execute(uri: location, method: method, headers: bob).status == .notFound)
                }
                let list = try await client.execute(uri: "/v1/library/imports", method: .get, headers: bob)
                #expect(String(buffer: list.body).hasPrefix(#"{"items":[],"seq":"#))
                let second = try await send("Title,Artist\nB,Ann\n", client, ada)
                #expect(try second.status == .conflict && second.problem.code == "importRunning")
                let removal = try await client.execute(uri: location, method: .delete, headers: ada)
                #expect(try removal.status == .conflict && removal.problem.code == "importRunning")
                #expect(try await send("Title,Artist\nB,Ann\n", client, bob).status == .accepted)
            }
            let jobs = try await gateway.database.read {
                try $0.map("SELECT kind FROM jobs") { try $0["kind"] as String }
            }
            #expect(jobs == ["library.import", "library.import"])
        }
    }

    @Test("A file's name is shown on one line and without hidden characters, and needs something visible")
    func namesOfFiles() async throws {
        try await TestGateway.run { gateway in
            let ada = try await gateway.authorization()
            try await gateway.withClient { client in
                for hidden in ["", "%E2%80%8B", "%00%E2%80%AE", "%E2%80%8D%20%0A"] {
                    let path = "/v1/library/imports?filename=\(hidden)"
                    let answer = try await send("Title,Artist\nA,Ann\n", client, ada, path: path)
                    #expect(try answer.status.code == 422 && answer.problem.code == "invalidParameter", "\(hidden)")
                }
                let path = "/v1/library/imports?filename=%E2%80%AEvsc.%00so%E2%80%8Bngs%0A%E2%81%A6b.csv"
                let answer = try await send("Title,Artist\nA,Ann\n", client, ada, path: path)
                #expect(answer.status == .accepted)
                #expect(String(buffer: answer.body).contains(#""filename":"vsc.songs b.csv""#))
            }
            let kept = try await gateway.database.read {
                try $0.map("SELECT filename FROM library_imports") { try $0["filename"] as String }
            }
            #expect(kept == ["vsc.songs b.csv"])
        }
    }

    @Test("A file that is compressed for the request is refused, and not stored")
    func compressedRequests() async throws {
        try await TestGateway.run { gateway in
            var ada = try await gateway.authorization()
            ada[.contentEncoding] = "gzip"
            try await gateway.withClient { [ada] client in
                let answer = try await send("Title,Artist\nA,Ann\n", client, ada)
                #expect(try answer.status.code == 415 && answer.problem.code == "unsupportedEncoding")
                #expect(try answer.problem.detail.contains("'gzip'"))
                #expect(gateway.imports.files() == [])
            }
        }
    }

    @Test("A file that is too large, empty, nameless or beyond the folder's capacity is refused and not stored")
    func refusedFiles() async throws {
        try await TestGateway.run(changeSettings: {
            ($0[ImportSettings.self].maximumBytes, $0[ImportSettings.self].capacity) = (1_000, 2_000)
        }) { gateway in
            let ada = try await gateway.authorization()
            try await gateway.withClient { client in
                let text = String(repeating: "a", count: 1_001)
                for (body, path, status, code) in [
                    (text, Self.path, 413, "bodyTooLarge"), ("", Self.path, 422, "fileMissing"),
                    ("a", "/v1/library/imports", 422, "invalidParameter"),
                    (
                        "a", "/v1/library/imports?filename=\(String(repeating: "n", count: 300))", 422,
                        "invalidParameter"
                    ),
                ] {
                    let answer = try await send(body, client, ada, path: path)
                    #expect(try answer.status.code == status && answer.problem.code == code, "\(code)")
                    #expect(gateway.imports.files() == [])
                }
                #expect(try await send(String(text.prefix(900)), client, ada).status == .accepted)
                let (bob, eve) = (try await gateway.authorization("bob"), try await gateway.authorization("eve"))
                #expect(try await send(String(text.prefix(900)), client, bob).status == .accepted)
                let full = try await send(String(text.prefix(900)), client, eve)
                #expect(try full.status.code == 503 && full.problem.code == "importFolderFull")
                #expect(gateway.imports.files().count == 2)
            }
        }
    }

    @Test("One person's files fill at most half of the folder, whatever a single file may have; others still import")
    func shareOfAPerson() async throws {
        try await TestGateway.run(changeSettings: {
            ($0[ImportSettings.self].maximumBytes, $0[ImportSettings.self].capacity) = (1_000, 1_200)
        }) { gateway in
            let (ada, bob) = (try await gateway.authorization(), try await gateway.authorization("bob"))
            try await gateway.withClient { client in
                let text = String(repeating: "a", count: 601)
                let large = try await send(text, client, ada)
                #expect(try large.status == .contentTooLarge && large.problem.code == "bodyTooLarge")
                #expect(try await send(String(text.prefix(600)), client, ada).status == .accepted)
                // It has ended, and its file is still there.
                try await gateway.database.write { transaction in
                    let row = try transaction.row("SELECT user_id, id FROM library_imports")
                    let userID: String = try row?["user_id"] ?? ""
                    let id = LibraryID(key: try row?["id"] ?? 0)
                    try transaction.imports.end(id, as: .failed, error: "x", userID: userID, now: .now())
                }
                let own = try await send("Title,Artist\nA,Ann\n", client, ada)
                #expect(try own.status.code == 503 && own.problem.code == "importFolderFull")
                #expect(try own.problem.detail.contains("the most that one person may use"))
                #expect(try await send(String(text.prefix(600)), client, bob).status == .accepted)
            }
        }
    }

    @Test("A file that would use reserved disk space is refused, at once if its length is announced")
    func reservedSpace() async throws {
        let free = try #require(ImportFolder(path: FileManager.default.temporaryDirectory.path).freeBytes)
        // The margins are large, so other programs' writes to the disk do not affect the result.
        for (reserve, status) in [(free / 2, 202), (free * 2, 503)] {
            try await TestGateway.run(changeSettings: { $0[ImportSettings.self].reserve = reserve }) { gateway in
                let ada = try await gateway.authorization()
                try await gateway.withClient { client in
                    let answer = try await send("Title,Artist\nA,Ann\n", client, ada)
                    #expect(answer.status.code == status)
                    guard status == 503 else { return }
                    #expect(try answer.problem.code == "storageFull" && gateway.imports.files() == [])
                    #expect(try answer.problem.detail.contains("imports.reserveMegabytes"))
                }
            }
        }
    }

    @Test("Files that no import needs are removed, and those of waiting imports stay")
    func leftoverFiles() async throws {
        try await TestGateway.run { gateway in
            let ada = try await gateway.authorization()
            try await gateway.withClient { client in _ = try await send("Title,Artist\nA,Ann\n", client, ada) }
            let waiting = try #require(gateway.imports.files().first)
            let (_, descriptor) = try gateway.imports.create()
            close(descriptor)
            var settings = SettingsSections.defaults[ImportSettings.self]
            settings.folder = gateway.imports.path
            let uploads = ImportUploads(settings)
            try await uploads.removeLeftovers(in: gateway.database)
            #expect(gateway.imports.files() == [waiting])
            let userID = try await gateway.database.read {
                try $0.row("SELECT user_id FROM library_imports")?["user_id"] as String?
            }
            try await gateway.database.write { transaction in
                let one = try transaction.imports.all(userID: userID ?? "", limit: 1)[0]
                try transaction.imports.end(one.id, as: .failed, error: "x", userID: userID ?? "", now: .now())
            }
            try await uploads.removeLeftovers(in: gateway.database)
            #expect(gateway.imports.files() == [])
        }
    }

    @Test("The file of a person who is erased goes with them")
    func fileOfAnErasedPerson() async throws {
        try await TestGateway.run { gateway in
            let token = try await gateway.addUser("ada").secret.reveal()
            let (ada, bob) = (
                [.authorization: "Bearer \(token)"] as HTTPFields, try await gateway.authorization("bob")
            )
            try await gateway.withClient { client in
                for person in [ada, bob] {
                    #expect(try await send("Title,Artist\nA,Ann\n", client, person).status == .accepted)
                }
                #expect(gateway.imports.files().count == 2)
                let body = ByteBuffer(string: #"{"username":"ada","token":"\#(token)"}"#)
                let erased = try await client.execute(uri: "/v1/me", method: .delete, headers: ada, body: body)
                #expect(erased.status.kind == .successful)
                #expect(gateway.imports.files().count == 1)
            }
        }
    }
}
