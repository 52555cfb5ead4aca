import Foundation
import Model
import Storage
import TestSupport
import Testing

@testable import Vault

@Suite("Keys of private texts")
struct TextKeyTests {
    private static let name = TextName(table: "reports", row: "1", author: "ada")

    @Test("A text opens in its own place with its own key, and nowhere else")
    func sealing() throws {
        let (key, other) = (TextKey.random(), TextKey.random())
        let text = "Zoë 🎵 \u{0} said …"
        let sealed = try key.seal(text, as: Self.name)
        #expect(key.open(sealed, as: Self.name) == text)
        #expect(try key.seal(text, as: Self.name).bytes != sealed.bytes, "every seal has a nonce of its own")
        #expect(other.open(sealed, as: Self.name) == nil && other.id != key.id)
        for name in [
            TextName(table: "report", row: "s1", author: "ada"), TextName(table: "reports", row: "2", author: "ada"),
            TextName(table: "reports", row: "1", author: "bob"), TextName(table: "reports", row: "1a", author: "da"),
        ] {
            #expect(key.open(sealed, as: name) == nil, "\(name)")
        }
        for index in sealed.bytes.indices {
            var modified = sealed
            modified.bytes[index] ^= 1
            #expect(key.open(modified, as: Self.name) == nil)
        }
        for length in 0..<28 {
            #expect(
                key.open(SealedText(keyID: key.id, bytes: [UInt8](repeating: 0, count: length)), as: Self.name) == nil)
        }
        #expect(TextKey(bytes: key.bytes) == key && TextKey(bytes: [1, 2, 3]) == nil)
    }

    @Test("The file is made for the first text, for its account alone, and never again while texts need it")
    func file() async throws {
        try await withDatabase { database, folder in
            let path = folder.file("messages/messages.key")
            let keys = CurrentTextKeys(file: TextKeyFile(path: path))
            func seal(_ text: String, isFirst: Bool) async throws -> SealedText {
                try await database.write { try keys.seal(text, as: Self.name, in: $0, isFirst: isFirst) }
            }
            await #expect(throws: TextKeyError.missing(path: path)) { try await seal("a", isFirst: false) }
            #expect(!FileManager.default.fileExists(atPath: path))
            let sealed = try await seal("a", isFirst: true)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            #expect(try keys.open(sealed, as: Self.name) == "a")
            // Another process, and a later text.
            let others = CurrentTextKeys(file: TextKeyFile(path: path))
            #expect(try others.open(try await seal("b", isFirst: false), as: Self.name) == "b")

            // A new key in front seals, and the earlier one still opens.
            let line = try String(contentsOfFile: path, encoding: .utf8)
            let newer = TextKey.random()
            try (newer.bytes.hexadecimal + "\n" + line).write(toFile: path, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            #expect(try await seal("c", isFirst: false).keyID == newer.id)
            #expect(try keys.open(sealed, as: Self.name) == "a")

            // Without the earlier key its texts do not open, and say which key is missing.
            try (newer.bytes.hexadecimal + "\n").write(toFile: path, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            #expect(throws: TextKeyError.unknownKey(id: sealed.keyID)) { try keys.open(sealed, as: Self.name) }
        }
    }

    @Test("A file that others can read, or that is not a key file, is refused")
    func refusedFiles() async throws {
        try await withDatabase { database, folder in
            let path = folder.file("messages.key")
            func refused(_ text: String, mode: Int = 0o600) async throws -> TextKeyError? {
                try text.write(toFile: path, atomically: true, encoding: .utf8)
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
                let keys = CurrentTextKeys(file: TextKeyFile(path: path))
                return await #expect(throws: TextKeyError.self) {
                    try await database.write { try keys.seal("a", as: Self.name, in: $0, isFirst: true) }
                }
            }
            let key = TextKey.random().bytes.hexadecimal
            let error = try await refused(key, mode: 0o644)
            #expect(error == .notPrivate(path: path, mode: "0644"))
            for text in ["", "# nothing\n", "abc\n", key + "0\n", key + "\nxyz\n"] {
                let error = try await refused(text)
                #expect(error == .malformed(path: path), "\(text)")
            }
        }
    }
}
