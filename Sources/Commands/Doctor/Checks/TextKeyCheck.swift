import Bootstrap
import CommandSupport
import Domains
import Foundation
import Storage
import Vault

extension DoctorCheck {
    /// Whether the file of the keys of private texts has those that sealed messages and reports, whether a rotation is
    /// unfinished, and whether one copy would take the keys and the texts.
    static let texts = DoctorCheck("texts") { context in
        let file = TextKeyFile(path: context.configuration[TextKeySettings.self].keyFile)
        let tables = context.domains.sealedTexts
        let counts = try await context.read { try $0.sealedTextCounts(in: tables) } ?? [:]
        let total = counts.values.reduce(0, +)
        let keys: [TextKey]
        do throws(TextKeyError) {
            keys = try file.load().keys
        } catch .missing where total == 0 {
            return [.ok("There is no key of private texts yet; the gateway makes it with the first text.")]
        } catch {
            return [
                .problem(
                    "\(error)", "Until then, \(total) texts cannot be read, and nobody can send messages or report.")
            ]
        }
        return keyFindings(keys, counts: counts, path: file.path)
            + placeFindings(ofKeys: file.path, database: context.databasePath)
    }

    private static func keyFindings(_ keys: [TextKey], counts: [String: Int], path: String) -> [Finding] {
        let total = counts.values.reduce(0, +)
        let lost = counts.filter { count in !keys.contains { $0.id == count.key } }.values.reduce(0, +)
        if lost > 0 {
            return [
                .problem(
                    "No key of \(path) opens \(lost) of \(total) private texts.",
                    "Add the missing key from your backup to the file, on its own line after the others.")
            ]
        }
        if keys.count > 1 {
            return [
                .warning(
                    "The file of private texts has \(keys.count) keys: a rotation is not finished.",
                    "backline vault rotate --texts")
            ]
        }
        return [.ok("The key of private texts \(keys[0].id) opens all \(total) texts.")]
    }

    /// Whoever copies a folder should not get both halves of what is encrypted.
    private static func placeFindings(ofKeys path: String, database: String) -> [Finding] {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        let beside = URL(fileURLWithPath: database).deletingLastPathComponent()
        if folder.standardizedFileURL == beside.standardizedFileURL {
            return [
                .warning(
                    "The key of private texts is in the folder of the database, whose copies then contain both.",
                    "Move it to a folder of its own, and set vault.textKeyFile.")
            ]
        }
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        guard let copy = files.first(where: isDatabase) else { return [] }
        return [
            .warning(
                "A copy of a database is beside the key of private texts: \(copy.lastPathComponent).",
                "Keep backups of the database and of the key apart: with both, everybody can read people's messages.")
        ]
    }

    private static func isDatabase(_ file: URL) -> Bool {
        guard let handle = try? FileHandle(forReadingFrom: file) else { return false }
        defer { try? handle.close() }
        return (try? handle.read(upToCount: 15)) == Data("SQLite format 3".utf8)
    }
}
