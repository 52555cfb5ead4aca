import Domains
import Foundation
import Model
import Platform
import Storage
import TestSupport
import Testing
import Vault
import Visibility

@testable import Messages

@Suite("Sealed messages")
struct MessageSealTests {
    @Test("No file of the database has a text or a song, and a guess cannot be tested without the key file")
    func files() async throws {
        try await SampleMessages.run(people: 2) { sample in
            try await sample.befriend(0, 1)
            let thread = try await sample.thread(0, 1)
            try await sample.send(1, "Extraordinary words", hasSong: true, in: thread, by: 0)
            for suffix in ["", "-wal"] {
                let bytes = FileManager.default.contents(atPath: sample.database.path + suffix) ?? Data()
                for text in ["Extraordinary", "Eple", "Röyksopp"] {
                    #expect(bytes.range(of: Data(text.utf8)) == nil, "\(text) in the file\(suffix)")
                }
            }
            #expect(try await sample.count("message_secrets") == 1)
        }
    }

    @Test("A text opens in its own row only")
    func places() async throws {
        try await SampleMessages.run(people: 2) { sample in
            try await sample.befriend(0, 1)
            let thread = try await sample.thread(0, 1)
            let (first, second) = (
                try await sample.sent(1, "One", in: thread, by: 0), try await sample.sent(1, "Two", in: thread, by: 1)
            )
            try await sample.database.write { transaction in
                try transaction.run(
                    """
                    UPDATE messages SET sealed = (SELECT sealed FROM messages WHERE number = \(first.number))
                    WHERE number = \(second.number)
                    """)
            }
            await #expect(throws: TextKeyError.doesNotOpen) { try await sample.texts(thread, seenBy: 0) }
        }
    }

    @Test("Without its key file nothing is sent or opened, and no second key is made; with it everything is back")
    func missingFile() async throws {
        try await SampleMessages.run(people: 2) { sample in
            try await sample.befriend(0, 1)
            let thread = try await sample.thread(0, 1)
            try await sample.send(1, in: thread, by: 0)
            let path = sample.keys.file.path
            try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
            await #expect(throws: TextKeyError.missing(path: path)) { try await sample.send(2, in: thread, by: 0) }
            await #expect(throws: TextKeyError.self) { try await sample.texts(thread, seenBy: 1) }
            #expect(!FileManager.default.fileExists(atPath: path))
            try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
            try await sample.send(2, in: thread, by: 0)
            #expect(try await sample.texts(thread, seenBy: 1) == ["Hello", "Hello"])
            // A new key in place of a lost one lets people write again.
            try FileManager.default.removeItem(atPath: path)
            try sample.keys.file.make()
            try await sample.send(3, in: thread, by: 0)
            guard case .known = try await sample.send(3, in: thread, by: 0) else {
                Issue.record("a draft is recognized with the new key")
                return
            }
        }
    }
}

@Suite("Replacing the key of private texts")
struct TextKeyRotationTests {
    @Test("All texts are sealed with the new key, the former one is removed, and repeated drafts are recognized")
    func rotating() async throws {
        try await SampleMessages.run(people: 2) { sample in
            try await sample.befriend(0, 1)
            let thread = try await sample.thread(0, 1)
            for number in 0..<25 { try await sample.send(number, "Text \(number)", in: thread, by: 0) }
            let tables = [Domain].tested.sealedTexts
            let rotation = TextKeyRotation(file: sample.keys.file, tables: tables, database: sample.database)
            let former = try sample.keys.file.load().keys[0].id
            // An interrupted rotation is continued, without a further key.
            let begun = try await rotation.begin()
            try await sample.send(25, "Text 25", in: thread, by: 0)
            let progress = try await rotation.run()
            #expect(progress.currentID == begun[0].id && progress.dropped == [former])
            #expect(progress.resealed == 26 && progress.damaged == 0 && progress.lost == 0)
            let counts = try await sample.database.read { try $0.sealedTextCounts(in: tables) }
            #expect(counts == [progress.currentID: 27])
            #expect(try await sample.texts(thread, seenBy: 1) == (0..<26).map { "Text \($0)" })
            guard case .known = try await sample.send(3, "Text 3", in: thread, by: 0) else {
                Issue.record("the draft was sent before the rotation")
                return
            }
        }
    }

    @Test("A text that was changed keeps neither the former key in the file nor the next rotation from a new key")
    func damaged() async throws {
        try await SampleMessages.run(people: 2) { sample in
            try await sample.befriend(0, 1)
            let thread = try await sample.thread(0, 1)
            let id = try await sample.sent(1, in: thread, by: 0)
            try await sample.send(2, in: thread, by: 0)
            try await sample.database.write {
                let other = [UInt8](repeating: 1, count: 40)
                try $0.run("UPDATE messages SET sealed = \(other) WHERE number = \(id.number)")
            }
            let rotation = TextKeyRotation(
                file: sample.keys.file, tables: [Domain].tested.sealedTexts, database: sample.database)
            let former = try sample.keys.file.load().keys[0].id
            let progress = try await rotation.run()
            #expect(progress.damaged == 1 && progress.dropped == [former])
            #expect(try sample.keys.file.load().keys.map(\.id) == [progress.currentID])
            let next = try await rotation.run()
            #expect(next.currentID != progress.currentID && next.dropped == [progress.currentID])
            // Its key is not in the file any longer.
            #expect(next.damaged == 0 && next.lost == 1)
        }
    }

    @Test("Two rotations at once leave every text readable, and a key in the file")
    func twoRotations() async throws {
        try await SampleMessages.run(people: 2) { sample in
            try await sample.befriend(0, 1)
            let thread = try await sample.thread(0, 1)
            try await sample.send(1, in: thread, by: 0)
            let rotation = TextKeyRotation(
                file: sample.keys.file, tables: [Domain].tested.sealedTexts, database: sample.database)
            async let first = rotation.run()
            async let second = rotation.run()
            let progress = [try await first, try await second]
            let keys = try sample.keys.file.load().keys.map(\.id)
            #expect(progress.contains { $0.currentID == keys[0] })
            #expect(try await sample.texts(thread, seenBy: 1) == ["Hello"])
            try await sample.send(2, in: thread, by: 0)
            #expect(try await sample.texts(thread, seenBy: 1) == ["Hello", "Hello"])
        }
    }
}
