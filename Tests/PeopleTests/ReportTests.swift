import Domains
import Model
import People
import Storage
import TestSupport
import Testing
import Vault
import Visibility

@Suite("Reports to administrators")
struct ReportTests {
    private static let noon = SampleTown.noon

    /// A seal that shows what was sealed.
    private static func seal(_ text: String) -> SealedText { SealedText(keyID: "k", bytes: Array(text.utf8)) }

    /// Whether a report has a content that needs a key.
    private func hasSealedReports(in database: Database) async throws -> Bool {
        try await database.read { try $0.hasSealedTexts(in: Domain.people.sealedTexts) }
    }

    /// Makes a report, and returns its id.
    @discardableResult
    private func report(
        _ other: Int, by own: Int, _ text: String = "rude", now: Timestamp = noon, in town: SampleTown
    ) async throws -> String {
        try await town.act { store in
            var sealed = ""
            try store.report(
                SampleTown.name(other), by: SampleTown.name(own), now: now,
                isSame: { id, content in
                    sealed = id
                    return content == Self.seal(text)
                },
                seal: { id in
                    sealed = id
                    return Self.seal(text)
                })
            return sealed
        }
    }

    private func reports(isOpen: Bool = true, for administrator: Int, in town: SampleTown) async throws
        -> [PersonReport]
    {
        let viewer = try #require(try await town.viewer(administrator))
        return try await town.database.read { try $0.people.reports(isOpen: isOpen, for: viewer, limit: 100) }
    }

    @discardableResult
    private func decide(
        _ decision: PersonReport.Decision, _ id: String, by administrator: Int, in town: SampleTown
    ) async throws -> String? {
        try await town.act {
            try $0.decide(decision, aboutReport: id, by: SampleTown.name(administrator), now: Self.noon)
        }
    }

    @Test("A pair has one open report, with the newest text; the same text again counts as none")
    func oneOpen() async throws {
        try await withDatabase { database in
            let town = try await SampleTown(database, people: 3)
            let first = try await report(1, by: 0, "one", in: town)
            for _ in 0..<20 { #expect(try await report(1, by: 0, "two", in: town) == first) }
            let found = try await reports(for: 2, in: town)
            #expect(found.count == 1 && found.first?.content == Self.seal("two"))
            #expect(found.first?.reporterID == SampleTown.name(0) && found.first?.subjectID == SampleTown.name(1))
            // After the decision there can be another one.
            try await decide(.nothing, first, by: 2, in: town)
            #expect(try await report(1, by: 0, in: town) != first)
        }
    }

    @Test("A person sends ten reports a day")
    func limit() async throws {
        try await withDatabase { database in
            let town = try await SampleTown(database, people: 12)
            for other in 1...10 { try await report(other, by: 0, in: town) }
            let reached = await #expect(throws: ActLimitReached.self) { try await report(11, by: 0, in: town) }
            #expect(reached?.limit.name == "reportsPerDay")
            #expect(reached?.until == Self.noon.advanced(by: .seconds(8_640)))
            try await report(0, by: 11, in: town)
            #expect(try await reports(for: 1, in: town).count == 10, "without the one of the administrator")
        }
    }

    @Test("Other words in place of those of an open report count like a new report")
    func replacements() async throws {
        try await withDatabase { database in
            let town = try await SampleTown(database, people: 3)
            for number in 1...10 { try await report(1, by: 0, "text \(number)", in: town) }
            let reached = await #expect(throws: ActLimitReached.self) { try await report(1, by: 0, "more", in: town) }
            #expect(reached?.limit.name == "reportsPerDay")
            try await report(1, by: 0, "text 10", in: town)
            let found = try await reports(for: 2, in: town)
            #expect(found.map(\.content) == [Self.seal("text 10")], "a refused one replaces nothing")
        }
    }

    @Test("Whom one cannot see cannot be reported, nor oneself; a private follower and a blocked person can")
    func targets() async throws {
        try await withDatabase { database in
            let town = try await SampleTown(database, people: 5)
            try await town.follow(0, by: 2)
            for number in 1...2 { try await town.setVisibility(.private, of: number) }
            try await town.act { store in
                try store.block(SampleTown.name(3), by: SampleTown.name(0), now: Self.noon)
                try store.block(SampleTown.name(0), by: SampleTown.name(4), now: Self.noon)
            }
            for number in [1, 4, 99] {
                await #expect(throws: PeopleRefusal.unknownPerson) { try await report(number, by: 0, in: town) }
            }
            await #expect(throws: PeopleRefusal.selfTarget) { try await report(0, by: 0, in: town) }
            for number in [2, 3] { try await report(number, by: 0, in: town) }
        }
    }

    @Test("A decision deletes what was sealed; the same again has no further effect, another one is refused")
    func decisions() async throws {
        try await withDatabase { database in
            let town = try await SampleTown(database, people: 4)
            let id = try await report(1, by: 0, in: town)
            #expect(try await hasSealedReports(in: database))
            #expect(try await decide(.suspend, id, by: 2, in: town) == SampleTown.name(1))
            #expect(try await decide(.suspend, id, by: 3, in: town) == nil)
            await #expect(throws: PeopleRefusal.alreadyDecided) { try await decide(.nothing, id, by: 2, in: town) }
            await #expect(throws: PeopleRefusal.unknownReport) {
                try await decide(.nothing, UUIDv7.next(), by: 2, in: town)
            }
            let decided = try #require(try await reports(isOpen: false, for: 2, in: town).first)
            #expect(decided.content == nil && decided.decision == .suspend && decided.decidedAt == Self.noon)
            #expect(try await reports(for: 2, in: town).isEmpty)
            #expect(try await !hasSealedReports(in: database))
        }
    }

    @Test("Administrators neither see nor decide about reports of themselves")
    func ownReports() async throws {
        try await withDatabase { database in
            let town = try await SampleTown(database, people: 3)
            let id = try await report(1, by: 0, in: town)
            #expect(try await reports(for: 1, in: town).isEmpty)
            #expect(try await reports(for: 2, in: town).count == 1)
            await #expect(throws: PeopleRefusal.selfTarget) { try await decide(.nothing, id, by: 1, in: town) }
        }
    }

    @Test("A report stays when its reporter or its subject is erased, and names neither")
    func erasures() async throws {
        try await withDatabase { database in
            let town = try await SampleTown(database, people: 4)
            try await report(1, by: 0, in: town)
            try await report(2, by: 1, in: town)
            try await database.write { try $0.visibility.close(userID: SampleTown.name(1)) }
            #expect(try await reports(for: 3, in: town).map(\.subjectID) == [SampleTown.name(2), nil])
            let writes = SteppedWrites(database, checkpoints: true)
            _ = try await PersonalTables(of: .tested).eraseRows(of: SampleTown.name(1), in: database, by: writes)
            let found = try await reports(for: 3, in: town)
            #expect(found.map(\.reporterID) == [nil, SampleTown.name(0)])
            #expect(found.map(\.subjectID) == [SampleTown.name(2), nil])
            #expect(found.allSatisfy { $0.content != nil })
            // Deciding about somebody who is gone suspends nobody.
            #expect(try await decide(.suspend, found[1].id, by: 3, in: town) == nil)
        }
    }

    @Test("Reports end after ninety days, decided or not")
    func pruning() async throws {
        try await withDatabase { database in
            let town = try await SampleTown(database, people: 5)
            let old = try await report(1, by: 0, in: town)
            try await decide(.nothing, old, by: 4, in: town)
            try await report(2, by: 0, in: town)
            try await report(3, by: 0, now: Self.noon.advanced(by: .seconds(1)), in: town)
            let end = PruningTime.unguarded(Self.noon.advanced(by: PersonReport.retention + .microseconds(1)))
            let deleted = try await town.act {
                try $0.pruneReports(madeBefore: end.before(PersonReport.retention), limit: 10)
            }
            #expect(deleted == 2)
            #expect(try await reports(for: 4, in: town).map(\.subjectID) == [SampleTown.name(3)])
        }
    }

    @Test("Pages of reports are newest first, without repeats")
    func pages() async throws {
        try await withDatabase { database in
            let town = try await SampleTown(database, people: 9)
            var ids: [String] = []
            for other in 1...7 { ids.append(try await report(other, by: 0, in: town)) }
            let viewer = try #require(try await town.viewer(8))
            let found = try await database.read { reader in
                let first = try reader.people.reports(isOpen: true, for: viewer, limit: 3)
                let cursor = reportList.cursor(reportList.text(of: RowID(first[2].id)))
                return first + (try reader.people.reports(isOpen: true, for: viewer, after: cursor, limit: 10))
            }
            #expect(found.map(\.id) == ids.reversed())
        }
    }
}
