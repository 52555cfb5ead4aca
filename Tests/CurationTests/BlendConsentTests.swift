import Model
import Storage
import TestSupport
import Testing
import Visibility

@testable import Curation

@Suite("Consent to blends")
struct BlendConsentTests {
    @Test("Nothing is revealed if an agreement ends while the songs are looked up")
    func endedAgreement() async throws {
        try await BlendFixture.run { blends in
            try await blends.agree()
            let list = try await blends.begin()
            try await blends.write { try $0.end("ada", of: "bea") }
            try await blends.finish(list)
            let kept = try #require(try await blends.lists(of: "ada").first)
            #expect(kept.state == .failed && kept.error?.code == "notAgreed")
            #expect(try await blends.songs(of: kept).isEmpty)
            #expect(try await blends.lists(of: "bea").isEmpty)
        }
    }

    @Test("A person who is erased is no longer named in what others keep")
    func erasedPerson() async throws {
        try await BlendFixture.run { blends in
            try await blends.agree()
            try await blends.finish(try await blends.begin())
            // Another blend waits for its job, and a third one for consent that was given and has ended since.
            _ = try await blends.begin()
            try await blends.write { try $0.end("bea", of: "ada") }
            _ = try await blends.write { try $0.request("bea", by: "ada") }
            #expect(try await blends.texts(of: "ada").contains("bea"))
            try await blends.write { try $0.visibility.close(userID: "bea") }
            let tables = PersonalTables(
                [
                    PersonalTable(
                        "users", keys: ["id"], owner: .person(column: "id"), erasure: .cascade,
                        export: .nothing(because: "a test"))
                ], .curation)
            let writes = SteppedWrites(blends.database, checkpoints: true)
            #expect(try await tables.eraseRows(of: "bea", in: blends.database, by: writes))
            #expect(try await !tables.eraseRows(of: "bea", in: blends.database, by: writes))
            let left = try await blends.texts(of: "ada")
            #expect(!left.contains("bea"), "\(left)")
            #expect(try await blends.partners(of: "ada") == [])
            #expect(try await blends.gonePartners(of: "ada").count == 2)
            let lists = try await blends.lists(of: "ada")
            #expect(lists.map(\.state) == [.failed, .failed, .complete])
            #expect(lists.allSatisfy { $0.request.with == nil && $0.partnerID == nil })
            #expect(
                try await blends.songs(of: lists[2]).map { $0.naming(nil).reason } == [
                    "It is from your library. You have a song by Ann.", "You have a song by Ann.",
                    "You have a song by Ann.",
                ])
            #expect(try await blends.lists(of: "bea").isEmpty)
        }
    }

    @Test("A name that nobody has can be asked like any other, and whoever takes it later is asked again")
    func unknownName() async throws {
        try await BlendFixture.run(["ada"]) { blends in
            let first = try await blends.write { try $0.ask("cyd", by: "ada") }
            let again = try await blends.write { try $0.ask("cyd", by: "ada") }
            #expect(first == again && first.state == .asking && first.personID == nil && first.name == "cyd")
            await #expect(throws: CurationRefusal.notAsked) {
                try await blends.write { try $0.answer(.accept, to: "cyd", by: "ada") }
            }
            // Whoever takes the name has not been asked, and gets no agreement by asking.
            try await blends.add("cyd")
            #expect(try await blends.write { try $0.ask("ada", by: "cyd") }.state == .asking)
            #expect(try await blends.partners(of: "ada") == ["cyd - asked"])
            #expect(try await blends.gonePartners(of: "ada") == [first.id])
            #expect(try await blends.write { try $0.ask("cyd", by: "ada") }.state == .accepted)
            #expect(try await blends.partners(of: "ada") == ["cyd - accepted"])
            #expect(try await blends.partners(of: "cyd") == ["ada - accepted"])
        }
    }

    @Test("Asking again for a name that somebody has taken meanwhile reaches them, and looks as before")
    func takenName() async throws {
        try await BlendFixture.run(["ada"]) { blends in
            let list = try await blends.write { try $0.request("cyd", by: "ada") }
            let before = try #require(try await blends.database.read { try $0.curation.partners(of: "ada") }.first)
            try await blends.add("cyd")
            #expect(try await blends.partners(of: "cyd") == [])
            let after = try await blends.write { try $0.ask("cyd", by: "ada") }
            #expect(after.id == before.id && after.since == before.since && after.change == before.change)
            #expect(try await blends.partners(of: "cyd") == ["ada - asked"])
            // The blend that waited has the same answer.
            #expect(try await blends.lists(of: "ada").map(\.partnerID) == ["cyd"])
            try await blends.write { try $0.end("cyd", of: "ada") }
            #expect(try await blends.lists(of: "ada").map(\.state) == [.failed])
            #expect(try await blends.lists(of: "ada").map(\.request.with) == ["cyd"] && list.state == .queued)
            #expect(try await blends.partners(of: "cyd") == [])
        }
    }

    @Test("A person may ask so many others in a day, whether they exist or not; answers and repetitions are free")
    func limitOfRequests() async throws {
        try await BlendFixture.run { blends in
            let now = Timestamp(microseconds: 1_790_000_000_000_000)
            for number in 0..<20 where number % 2 == 0 { try await blends.add("name \(number)") }
            try await blends.write { transaction in
                for number in 0..<20 {
                    #expect(try transaction.ask("name \(number)", by: "ada", now: now).state == .asking)
                    #expect(try transaction.ask("name \(number)", by: "ada", now: now).state == .asking)
                    // Withdrawing the request does not help.
                    if number % 3 == 0 { try transaction.end("name \(number)", of: "ada") }
                }
                for name in ["nobody", "bea"] {
                    #expect(throws: ActLimitReached.self) { try transaction.ask(name, by: "ada", now: now) }
                }
                // Whoever was asked may always answer.
                #expect(try transaction.ask("ada", by: "bea", now: now).state == .asking)
                #expect(try transaction.ask("bea", by: "ada", now: now).state == .accepted)
                let tomorrow = now.advanced(by: .seconds(86_400))
                #expect(try transaction.ask("nobody", by: "ada", now: tomorrow).state == .asking)
            }
        }
    }

    @Test("A request looks alike whether its person is private, suspended, has blocked the asker, or does not exist")
    func hiddenPeople() async throws {
        try await BlendFixture.run(["ada", "private", "suspended", "blocking"]) { blends in
            try await blends.write { transaction in
                try transaction.visibility.setVisibility(.private, userID: "private")
                try transaction.visibility.suspend(userID: "suspended")
                try transaction.block("ada", by: "blocking")
            }
            let names = ["blocking", "nobody", "private", "suspended"]
            for name in names {
                let asked = try await blends.write { try $0.ask(name, by: "ada") }
                #expect(asked.state == .asking && asked.name == name && UUIDv7.isWellFormed(asked.id))
                await #expect(throws: CurationRefusal.notAsked) {
                    try await blends.write { try $0.answer(.accept, to: name, by: "ada") }
                }
                await #expect(throws: CurationRefusal.notAsked) {
                    try await blends.write { try $0.answer(.block, to: name, by: "ada") }
                }
            }
            // Only a private person learns of it, and decides.
            #expect(try await blends.partners(of: "private") == ["ada - asked"])
            #expect(try await blends.partners(of: "suspended") == [])
            #expect(try await blends.partners(of: "blocking") == [])
            for name in names.filter({ $0 != "private" }) { try await blends.write { try $0.end(name, of: "ada") } }
            try await blends.write { try $0.answer(.accept, to: "ada", by: "private") }
            #expect(try await blends.partners(of: "ada") == ["private - accepted"])
            #expect(try await blends.database.read { try $0.curation.areBlending("ada", "private") })
        }
    }

    @Test("Nobody finds out the new name of a person who hides it by the request that they made")
    func hiddenNewName() async throws {
        try await BlendFixture.run { blends in
            try await blends.write { transaction in
                try transaction.visibility.setVisibility(.private, userID: "bea")
                try transaction.ask("bea", by: "ada")
                let renamed = BlendSubject(name: "zed", personID: "bea")
                #expect(throws: CurationRefusal.notAsked) {
                    try transaction.curation.end(renamed, of: "ada", now: .now())
                }
                // A request for the new name is another one, as if nobody had it.
                let other = try transaction.curation.ask(renamed, by: "ada", named: "ada", now: .now())
                #expect(other.personID == nil && other.state == .asking)
                // The request is known by the name that it asked for, also when somebody else has that now.
                try transaction.visibility.add(userID: "new bea")
                let former = BlendSubject(name: "bea", personID: "new bea")
                try transaction.curation.end(former, of: "ada", now: .now())
            }
            #expect(try await blends.partners(of: "ada") == ["- zed asking"])
            #expect(try await blends.partners(of: "bea") == [])
        }
    }

    @Test("Whoever was asked cannot agree any longer once the asker withdrew, was suspended or was blocked")
    func lateConsent() async throws {
        try await BlendFixture.run { blends in
            let ends: [@Sendable (WriteTransaction) throws -> Void] = [
                { try $0.end("bea", of: "ada") },
                { _ = try $0.visibility.suspend(userID: "ada") },
                { try $0.block("bea", by: "ada") },
            ]
            for end in ends {
                let list = try await blends.write { try $0.request("bea", by: "ada") }
                try await blends.write { try end($0) }
                await #expect(throws: CurationRefusal.notAsked) {
                    try await blends.write { try $0.answer(.accept, to: "ada", by: "bea") }
                }
                let kept = try #require(try await blends.lists(of: "ada").first { $0.id == list.id })
                #expect(kept.jobID == nil && kept.state != .complete)
                try await blends.write { _ = try $0.visibility.reinstate(userID: "ada") }
            }
        }
    }
}
