import Model
import Storage
import TestSupport
import Testing

@testable import Curation

@Suite("Consent to blends")
struct BlendConsentTests {
    private static let (ada, bea) = (BlendSubject(id: "ada", name: "ada"), BlendSubject(id: "bea", name: "bea"))

    private func agree(in database: Database) async throws {
        try await database.write { transaction in
            _ = try transaction.curation.ask(Self.bea, by: Self.ada, now: .now())
            try transaction.curation.answer(.accept, to: Self.ada, by: Self.bea, now: .now())
        }
    }

    private func begin(in database: Database) async throws -> CuratedList {
        try await database.write { transaction in
            var request = CurationRequest(kind: .blend, size: 10, source: .mixed)
            request.with = "bea"
            return try transaction.curation.begin(
                request, title: PromptText.title(of: request), userID: "ada", partner: "bea", cost: nil, now: .now())
        }
    }

    /// The lists of both people, as they are written at the end.
    private func finished(_ list: CuratedList) -> (asker: ListContent, partner: ListContent) {
        func track(_ number: Int, partner: String) -> CuratedTrack {
            let evidence = [
                number == 0
                    ? SongEvidence(.sharedSong, "You and \(partner) both have it.")
                    : SongEvidence(.partnerHas, "\(partner) has it."),
                SongEvidence(.knownArtist, "You have a song by Ann."),
            ]
            return CuratedTrack(
                reference: "spotify:\(number)", title: "Song \(number)", artist: "Ann", album: "", origin: .spotify,
                reason: evidence.map(\.text).joined(separator: " "), evidence: evidence, attribution: .partner)
        }
        return (
            ListContent(
                id: list.id, userID: "ada", tracks: (0..<3).map { track($0, partner: "bea") }, dropped: [], at: .now()),
            ListContent(
                id: UUIDv7.next(), userID: "bea", tracks: (0..<3).map { track($0, partner: "ada") }, dropped: [],
                at: .now())
        )
    }

    private func finish(_ list: CuratedList, in database: Database) async throws {
        let made = finished(list)
        try await database.write { transaction in
            try transaction.curation.finish(list, asker: made.asker, partner: made.partner, askerName: "ada")
        }
    }

    private func everything(of userID: String, in database: Database) async throws -> String {
        try await database.read { reader in
            let lists = try reader.map(
                "SELECT request, title, error_message FROM curated_lists WHERE user_id = \(userID)"
            ) {
                [try $0["request"], try $0["title"], try $0["error_message"] ?? ""] as [String]
            }
            let tracks = try reader.map("SELECT track FROM curated_tracks WHERE user_id = \(userID)") {
                [try $0["track"]] as [String]
            }
            return (lists + tracks).flatMap { $0 }.joined(separator: "\n")
        }
    }

    @Test("Nothing is revealed if an agreement ends while the songs are looked up")
    func ended() async throws {
        try await withDatabase { database, _ in
            try await agree(in: database)
            let list = try await begin(in: database)
            _ = try await database.write { try $0.curation.end(Self.ada, of: Self.bea, now: .now()) }
            try await finish(list, in: database)
            let kept = try #require(try await database.read { try $0.curation.list(list.id, userID: "ada") })
            #expect(kept.state == .failed && kept.error?.code == "notAgreed")
            try await database.read { reader in
                #expect(try reader.curation.tracks(of: kept).isEmpty)
                let others = try reader.rows("SELECT 1 FROM curated_lists WHERE user_id = 'bea'")
                #expect(others.isEmpty)
            }
        }
    }

    @Test("A person who is erased is no longer named in what others keep")
    func erased() async throws {
        try await withDatabase { database, _ in
            try await agree(in: database)
            try await finish(try await begin(in: database), in: database)
            // Another blend waits for its job, and a third one for consent that was given and has ended since.
            _ = try await begin(in: database)
            _ = try await database.write { try $0.curation.end(Self.bea, of: Self.ada, now: .now()) }
            #expect(try await everything(of: "ada", in: database).contains("bea"))
            let tables = PersonalTables(
                [
                    PersonalTable(
                        "users", keys: ["id"], owner: .person(column: "id"), erasure: .cascade,
                        export: .nothing(because: "a test"))
                ], .curation)
            let writes = SteppedWrites(database, checkpoints: true)
            #expect(try await tables.eraseRows(of: "bea", in: database, by: writes))
            #expect(try await !tables.eraseRows(of: "bea", in: database, by: writes))
            let left = try await everything(of: "ada", in: database)
            #expect(!left.contains("bea"), "\(left)")
            #expect(left.contains("You and somebody who has left") && left.contains("You both have it."))
            try await database.read { reader in
                let lists = try reader.curation.lists(of: .blend, userID: "ada", cursor: nil, limit: 9).items
                #expect(lists.map(\.state) == [.failed, .complete])
                let tracks = try reader.curation.tracks(of: lists[1])
                #expect(
                    tracks.map(\.reason) == [
                        "You both have it. You have a song by Ann.", "The other person has it. You have a song by Ann.",
                        "The other person has it. You have a song by Ann.",
                    ])
                let others = try reader.rows("SELECT 1 FROM curated_lists WHERE user_id = 'bea'")
                #expect(others.isEmpty)
            }
        }
    }

    @Test("A name that nobody has can be asked like any other, and whoever takes it later is asked again")
    func unknown() async throws {
        try await withDatabase { database, _ in
            try await database.write { transaction in
                let (curation, now) = (transaction.curation, Timestamp.now())
                let nobody = BlendSubject(unknown: "cyd")
                #expect(try !curation.ask(nobody, by: Self.ada, now: now))
                #expect(try !curation.ask(nobody, by: Self.ada, now: now))
                let kept = try curation.partners(of: "ada")
                #expect(kept.map(\.state) == [.asking] && kept[0].unknownName == "cyd")
                #expect(throws: CurationRefusal.notAsked) {
                    try curation.answer(.accept, to: nobody, by: Self.ada, now: now)
                }
                // Whoever takes the name has not been asked, and gets no agreement by asking.
                let cyd = BlendSubject(id: "c", name: "cyd")
                #expect(try !curation.ask(Self.ada, by: cyd, now: now))
                #expect(try curation.partners(of: "ada").map(\.state) == [.asked])
                #expect(try curation.ask(cyd, by: Self.ada, now: now))

                let dan = BlendSubject(unknown: "dan")
                try curation.answer(.block, to: dan, by: Self.ada, now: now)
                #expect(throws: CurationRefusal.blocked) { try curation.ask(dan, by: Self.ada, now: now) }
                let known = BlendSubject(id: "d", name: "dan")
                #expect(try !curation.ask(Self.ada, by: known, now: now))
                #expect(try curation.partner("d", of: "ada")?.state == .blocked)
                #expect(try curation.end(known, of: Self.ada, now: now) == .blocked)
                #expect(try curation.end(BlendSubject(unknown: "eve"), of: Self.ada, now: now) == nil)
            }
        }
    }

    @Test("In one day, a person may ask and block a few others, whether they exist or not")
    func limit() async throws {
        try await withDatabase { database, _ in
            try await database.write { transaction in
                let (curation, now) = (transaction.curation, Timestamp(microseconds: 1_790_000_000_000_000))
                for number in 0..<20 {
                    let someone =
                        number % 2 == 0
                        ? BlendSubject(unknown: "name \(number)")
                        : BlendSubject(id: "\(number)", name: "name \(number)")
                    if number % 3 == 0 {
                        try curation.answer(.block, to: someone, by: Self.ada, now: now)
                    } else {
                        #expect(try !curation.ask(someone, by: Self.ada, now: now))
                        // Withdrawing the request does not help.
                        try curation.end(someone, of: Self.ada, now: now)
                    }
                }
                for someone in [BlendSubject(unknown: "more"), Self.bea] {
                    #expect(throws: CurationRefusal.tooManyRequests) {
                        try curation.ask(someone, by: Self.ada, now: now)
                    }
                    #expect(throws: CurationRefusal.tooManyRequests) {
                        try curation.answer(.block, to: someone, by: Self.ada, now: now)
                    }
                }
                let tomorrow = now.advanced(by: .seconds(86_400))
                #expect(try !curation.ask(Self.bea, by: Self.ada, now: tomorrow))
                // Whoever was asked may always answer.
                try curation.answer(.accept, to: Self.ada, by: Self.bea, now: now)
            }
        }
    }
}
