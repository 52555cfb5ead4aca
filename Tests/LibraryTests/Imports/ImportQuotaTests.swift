import Model
import Synchronization
import TestSupport
import Testing

@testable import LibraryImports
@testable import Storage

@Suite("Quotas of imports", .timeLimit(.minutes(5)))
struct ImportQuotaTests {
    @Test("An import that would exceed a quota fails and names its key, and earlier rows are kept")
    func exceededQuota() async throws {
        try await withImporter { person in
            let rows = (0..<600).map { "2024-01-01T00:00:00Z,Song \($0),Ann\n" }.joined()
            let id = try await person.begin("listened_at,title,artist\n" + rows)
            let calls = Mutex(0)
            let failed = try await person.run(
                id,
                record: { part in
                    let call = calls.withLock { count in
                        count += 1
                        return count
                    }
                    guard call < 3 else {
                        throw QuotaReached(.listens, limit: 500, used: 500, asked: part.listens.count)
                    }
                    return .init(new: part.listens.count, taken: part.listens.count)
                })
            #expect(failed?.state == .failed && failed?.counts.new == 500)
            #expect(failed?.error?.hasPrefix("quotas.listens allows each person 500 listens") == true)
        }
    }

    @Test("What files may add is limited for each user, the error says what to do, and earlier data is kept")
    func quotasOfUsers() async throws {
        try await withImporter { person in
            let rows = (0..<120).map { "Song \($0),Ann" }.joined(separator: "\n")
            let id = try await person.begin("Title,Artist\n\(rows)")
            let ended = try #require(try await person.run(id, quota: ImportQuota(rows: 100)))
            #expect(ended.state == .failed && ended.counts.new == 100)
            #expect(ended.error?.hasPrefix("imports.rowsPerPerson allows each person 100 songs") == true)
            #expect(ended.error?.hasSuffix("The 100 rows before that were imported.") == true)
            // Rows of earlier imports count, both songs and playlist entries.
            let list = try await person.begin("Title,Artist,Playlist\nOther,Ann,P\n")
            #expect(try await person.run(list, quota: ImportQuota(rows: 100))?.state == .failed)
            let again = try await person.begin("Title,Artist,Playlist\nOther,Ann,P\n")
            #expect(try await person.run(again, quota: ImportQuota(rows: 102))?.state == .complete)
            #expect(try await person.database.read { try $0.imports.used(userID: person.userID).rows } == 102)
            let long = try await person.begin("Title,Artist\nX,Ann")
            let refused = try await person.run(long, quota: ImportQuota(rows: nil, characters: 500))
            #expect(refused?.error?.hasPrefix("imports.charactersPerPerson allows") == true)
            let other = try await person.begin("Title,Artist\nX,Ann")
            #expect(try await person.run(other, quota: ImportQuota(rows: nil))?.state == .complete)
        }
    }

    @Test("A playlist that is imported again replaces the earlier one, and counts once")
    func replacedPlaylists() async throws {
        try await withImporter { person in
            func list(_ titles: [String]) -> String {
                let tracks = titles.map { #"{"title": "\#($0)", "creator": "Ann"}"# }.joined(separator: ",")
                return #"{"playlist": {"title": "P", "identifier": "https://a.example/p", "track": [\#(tracks)]}}"#
            }
            let titles = (0..<20).map { "Söng \($0)" }
            let quota = ImportQuota(rows: 41)
            for _ in 0..<3 {
                let id = try await person.begin(list(titles), "a.jspf")
                #expect(try await person.run(id, quota: quota)?.state == .complete)
            }
            #expect(try await person.database.read { try $0.imports.used(userID: person.userID).rows } == 40)
            // What an import counts while it writes equals what the next one computes.
            let other = try await person.begin("Title,Artist\nÄÖÜ,Ann\n")
            #expect(try await person.run(other, quota: quota)?.state == .complete)
            let use = try await person.database.read { try $0.imports.used(userID: person.userID) }
            #expect(use.rows == 41)
            let another = try await person.begin(list(titles + ["New"]), "a.jspf")
            #expect(try await person.run(another, quota: quota)?.state == .failed)
        }
    }
}
