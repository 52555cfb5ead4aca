import Contracts
import Domains
import Foundation
import Model
import Storage
import TestSupport
import Testing
import Vault

@testable import Commands

@Suite("doctor: private texts")
struct TextKeyCheckTests {
    /// A folder with a database that has two private texts, and doctor's findings.
    private struct Fixture {
        let database: Database
        let folder: TemporaryFolder
        let file: TextKeyFile

        func look(_ environment: [String: String] = [:]) async throws -> [Finding] {
            let findings = await DoctorCheck.texts.findings(in: try .sample(folder, environment: environment))
            #expect(findings.allSatisfy { $0.check == "texts" })
            return findings
        }
    }

    private func withTexts(_ body: (Fixture) async throws -> Void) async throws {
        try await withDatabase { database, folder in
            let file = TextKeyFile(path: folder.file("messages/messages.key"))
            let fixture = Fixture(database: database, folder: folder, file: file)
            #expect(try await fixture.look().map(\.severity) == [.ok], "a new installation")
            let keys = CurrentTextKeys(file: file, tables: [Domain].all.sealedTexts)
            try await database.write { transaction in
                for id in ["a", "b"] {
                    let sealed = try keys.seal(
                        "words", as: TextName(table: "message_secrets", row: id, author: ""), in: transaction)
                    try transaction.run(
                        """
                        INSERT INTO message_secrets (id, key_id, sealed)
                        VALUES (\(id), \(sealed.keyID), \(sealed.bytes))
                        """)
                }
            }
            try await body(fixture)
        }
    }

    @Test("A key that opens every text is fine, and is identified only by its id")
    func matchingKey() async throws {
        try await withTexts { fixture in
            let key = try fixture.file.load().keys[0]
            let findings = try await fixture.look()
            #expect(findings.map(\.message) == ["The key of private texts \(key.id) opens all 2 texts."])
            #expect(findings.worst == .ok)
        }
    }

    @Test("A missing file is a problem while there are texts, and so is another key")
    func lostKey() async throws {
        try await withTexts { fixture in
            try FileManager.default.removeItem(atPath: fixture.file.path)
            var findings = try await fixture.look()
            #expect(findings.count == 1 && findings.worst == .problem)
            #expect(findings.text.contains("is missing") && findings.text.contains("2 texts cannot be read"))
            try fixture.file.make()
            findings = try await fixture.look()
            #expect(findings.map(\.message) == ["No key of \(fixture.file.path) opens 2 of 2 private texts."])
            #expect(findings.worst == .problem && findings.text.contains("on its own line"))
        }
    }

    @Test("A file that others can read is a problem with its remedy")
    func keyFileThatOthersRead() async throws {
        try await withTexts { fixture in
            #expect(chmod(fixture.file.path, 0o640) == 0)
            let findings = try await fixture.look()
            #expect(findings.count == 1 && findings.worst == .problem)
            #expect(findings.text.contains("chmod 600 '\(fixture.file.path)'"))
        }
    }

    @Test("A rotation that is not finished is a warning")
    func unfinishedRotation() async throws {
        try await withTexts { fixture in
            let rotation = TextKeyRotation(
                file: fixture.file, tables: [Domain].all.sealedTexts, database: fixture.database)
            _ = try await rotation.begin()
            let findings = try await fixture.look()
            #expect(findings.worst == .warning && findings.first?.advice == "backline vault rotate --texts")
            #expect(try await rotation.run().resealed == 2)
            #expect(try await fixture.look().worst == .ok)
        }
    }

    @Test("A key beside the database, or beside a copy of it, is a warning")
    func keyBesideDatabase() async throws {
        try await withTexts { fixture in
            let backup = fixture.folder.file("messages/backup.sqlite")
            try Data("SQLite format 3\u{0}".utf8).write(to: URL(fileURLWithPath: backup))
            var findings = try await fixture.look()
            #expect(findings.worst == .warning && findings.text.contains("private texts: backup.sqlite"))
            try FileManager.default.removeItem(atPath: backup)
            let moved = fixture.folder.file("texts.key")
            try FileManager.default.moveItem(atPath: fixture.file.path, toPath: moved)
            findings = try await fixture.look(["BACKLINE_VAULT_TEXT_KEY_FILE": moved])
            #expect(findings.worst == .warning && findings.text.contains("in the folder of the database"))
        }
    }
}
