import Model
import Storage
import Testing
import Visibility

@testable import Curation

@Suite("Blends of people who block each other")
struct BlendBlockTests {
    @Test("A block ends the agreement, and an answer with it blocks the person everywhere")
    func endedAgreement() async throws {
        try await BlendFixture.run { blends in
            try await blends.agree()
            try await blends.write { try $0.answer(.block, to: "ada", by: "bea") }
            try await blends.database.read { reader in
                let keys = try ["ada", "bea"].map { try reader.visibility.key(ofUser: $0) }.compactMap(\.self)
                #expect(try reader.visibility.hasBlocked(keys[0], by: keys[1]))
                #expect(try !reader.curation.areBlending("ada", "bea"))
            }
            for person in ["ada", "bea"] {
                #expect(try await blends.partners(of: person) == [])
                #expect(try await blends.gonePartners(of: person).count == 1)
            }
            await #expect(throws: CurationRefusal.blocked) {
                try await blends.write { try $0.ask("ada", by: "bea") }
            }
            // A block ends like an agreement, and nothing comes back.
            try await blends.write { try $0.end("ada", of: "bea") }
            #expect(try await blends.partners(of: "ada") == [])
            #expect(try await blends.write { try $0.ask("ada", by: "bea") }.state == .asking)
        }
    }

    @Test("The request to a private person stays unanswered after a block, as if nobody had the name")
    func requests() async throws {
        try await BlendFixture.run(["ada", "bea", "cyd"]) { blends in
            try await blends.write { try $0.visibility.setVisibility(.private, userID: "bea") }
            let list = try await blends.write { try $0.request("bea", by: "ada") }
            let before = try #require(try await blends.database.read { try $0.curation.partners(of: "ada") }.first)
            let own = try await blends.write { try $0.request("cyd", by: "bea") }
            let change = try await blends.database.read { try $0.lastChange() }
            try await blends.write { transaction in
                try transaction.block("ada", by: "bea")
                try transaction.block("cyd", by: "bea")
            }
            // The same row for whoever asked, without a change.
            let after = try #require(try await blends.database.read { try $0.curation.partners(of: "ada") }.first)
            #expect(after.id == before.id && after.change == before.change && after.personID == nil)
            let waiting = try #require(try await blends.lists(of: "ada").first)
            #expect(waiting.id == list.id && waiting.awaitsConsent && waiting.request.with == "bea")
            #expect(waiting.partnerID == nil && waiting.change <= change)
            #expect(try await blends.gonePartners(of: "ada") == [])
            #expect(try await blends.partners(of: "bea") == [])
            #expect(try await blends.lists(of: "bea").map(\.error?.code) == ["notAgreed"])
            #expect(try await blends.lists(of: "bea").map(\.id) == [own.id])
            #expect(try await blends.partners(of: "cyd") == [])
            // Neither asking again nor the end of the block answers the request.
            _ = try await blends.write { try $0.ask("bea", by: "ada") }
            try await blends.write { try $0.unblock("ada", by: "bea") }
            #expect(try await blends.partners(of: "bea") == [])
            // From then on, it reaches them when it is repeated.
            #expect(try await blends.write { try $0.ask("bea", by: "ada") }.id == before.id)
            #expect(try await blends.partners(of: "bea") == ["ada - asked"])
            try await blends.write { try $0.answer(.accept, to: "ada", by: "bea") }
            let found = try await blends.database.read {
                try $0.curation.waitingBlends(userID: "ada", with: "bea", named: "bea").map(\.id)
            }
            #expect(found == [list.id])
        }
    }

    @Test("A blend that is being made when one blocks the other fails, and nothing is written for the other")
    func blendInTheMaking() async throws {
        try await BlendFixture.run { blends in
            try await blends.agree()
            let list = try await blends.begin()
            try await blends.write { try $0.block("ada", by: "bea") }
            let failed = try #require(try await blends.lists(of: "ada").first)
            #expect(failed.state == .failed && failed.error == .notAgreed && failed.partnerID == nil)
            try await blends.finish(list)
            #expect(try await blends.songs(of: list).isEmpty)
            #expect(try await blends.lists(of: "bea").isEmpty)
        }
    }

    @Test("Consent is looked at again when a blend is written: a suspended person's is not enough")
    func suspendedPartner() async throws {
        try await BlendFixture.run { blends in
            try await blends.agree()
            let list = try await blends.begin()
            _ = try await blends.write { try $0.visibility.suspend(userID: "bea") }
            try await blends.finish(list)
            #expect(try await blends.lists(of: "ada").map(\.error?.code) == ["notAgreed"])
            #expect(try await blends.lists(of: "bea").isEmpty)
        }
    }

    @Test("A block at the same time as the writing of a blend leaves no blend that refers to the other person")
    func blockAndWriteAtOnce() async throws {
        try await BlendFixture.run([]) { blends in
            for round in 0..<40 {
                let (ada, bea) = ("ada \(round)", "bea \(round)")
                for person in [ada, bea] { try await blends.add(person) }
                try await blends.agree(ada, bea)
                let list = try await blends.begin(ada, with: bea)
                async let written: Void = blends.finish(list, with: bea)
                async let blocked: Void = blends.write { try $0.block(ada, by: bea) }
                _ = try await (written, blocked)
                let lists = try await blends.lists(of: ada) + blends.lists(of: bea)
                #expect(lists.count == (lists.first?.state == .complete ? 2 : 1), "\(lists.map(\.state))")
                for list in lists {
                    #expect(list.partnerID == nil && list.request.with == nil && list.state.isFinished)
                    #expect(try await blends.songs(of: list).count == (list.state == .complete ? 3 : 0))
                }
                for (person, other) in [(ada, bea), (bea, ada)] {
                    #expect(try await !blends.texts(of: person).contains(other))
                    #expect(try await blends.partners(of: person) == [])
                }
            }
        }
    }

    @Test("Finished blends keep their songs and lose the other person, as many as there are, and also after an unblock")
    func finishedBlends() async throws {
        try await BlendFixture.run { blends in
            try await blends.agree()
            let count = CurationStore<WriteTransaction>.blendsOfBlock + 7
            for _ in 0..<count { try await blends.finish(try await blends.begin()) }
            try await blends.write { transaction in
                try transaction.block("ada", by: "bea")
                try transaction.unblock("ada", by: "bea")
            }
            let left = try await blends.lists(of: "ada").filter { $0.partnerID != nil }
            #expect(left.count == 7)
            // What the upkeep step does.
            let former = try await blends.database.read { try $0.curation.formerPartners(limit: 10) }
            #expect(former.count == 2)
            for partner in former {
                try await blends.write { transaction in
                    try transaction.curation.deleteFormerPartner(partner)
                    let ids = try transaction.curation.blends(
                        of: partner.userID, with: partner.partnerID, limit: 100
                    ).map(\.id)
                    #expect(ids.count == 7)
                    try transaction.curation.separate(ids, userID: partner.userID, now: .now())
                    try transaction.curation.deleteFormerPartner(partner)
                }
            }
            #expect(try await blends.database.read { try $0.curation.formerPartners(limit: 10) } == [])
            for person in ["ada", "bea"] {
                let lists = try await blends.lists(of: person)
                #expect(lists.count == count && lists.allSatisfy { $0.state == .complete && $0.partnerID == nil })
                let songs = try await blends.songs(of: lists[0])
                #expect(songs.count == 3)
                // Nothing says any longer what the other person has.
                for song in songs {
                    #expect(song.attribution == nil && !song.reason.contains("both") && !song.reason.contains("other"))
                    #expect(song.evidence.allSatisfy { ![.sharedSong, .partnerHas].contains($0.kind) })
                }
                // Every one of them is reported.
                #expect(Set(lists.map(\.change)).count == count)
            }
        }
    }

    @Test("A blend from before names were looked up loses the name at once, and from its rows by an upkeep step")
    func storedNames() async throws {
        try await BlendFixture.run { blends in
            try await blends.agree()
            let list = try await blends.begin()
            try await blends.finish(list)
            try await blends.write { transaction in
                // As version 0.2.0 wrote it.
                var request = list.request
                request.with = "bea"
                let track = CuratedTrack(
                    reference: "spotify:9", title: "Song 9", artist: "Ann", album: "", origin: .spotify,
                    reason: "You and bea both have it. You have a song by Ann.",
                    evidence: [
                        SongEvidence(.sharedSong, "You and bea both have it."),
                        SongEvidence(.knownArtist, "You have a song by Ann."),
                    ], attribution: .both)
                try transaction.run(
                    """
                    UPDATE curated_lists SET request = \(try JSONColumn.encode(request)), title = 'You and bea'
                    WHERE user_id = 'ada' AND id = \(list.id)
                    """)
                try transaction.run(
                    """
                    UPDATE curated_tracks SET track = \(try JSONColumn.encode(track))
                    WHERE user_id = 'ada' AND list_id = \(list.id)
                    """)
            }
            let shown = try #require(try await blends.lists(of: "ada").first)
            #expect(shown.request.with == nil && shown.partnerID == "bea")
            let songs = try await blends.songs(of: shown).map { $0.naming("Beatrix") }
            #expect(songs.allSatisfy { $0.reason == "You and Beatrix both have it. You have a song by Ann." })
            let items = try await blends.database.read { try $0.curation.blendsWithNames(limit: 10) }
            #expect(items.map(\.key) == ["ada/\(list.id)"])
            try await blends.write { transaction in
                for item in items { try transaction.curation.removeNames(fromList: item.key) }
            }
            #expect(try await blends.database.read { try $0.curation.blendsWithNames(limit: 10) }.isEmpty)
            let texts = try await blends.texts(of: "ada")
            #expect(!texts.contains("You and bea") && !texts.contains("\"with\""), "\(texts)")
            let kept = try #require(try await blends.lists(of: "ada").first)
            #expect(kept.partnerID == "bea" && kept.change == shown.change)
            #expect(try await blends.songs(of: kept).map { $0.naming("Beatrix") } == songs)
        }
    }

    /// How somebody goes from the blends of others.
    enum Departure: CaseIterable, Sendable {
        case block, erasure

        func perform(by person: String, from other: String, in blends: BlendFixture) async throws {
            switch self {
            case .block: try await blends.write { try $0.block(other, by: person) }
            case .erasure:
                try await blends.write { transaction in
                    try transaction.visibility.close(userID: person)
                    try transaction.curation.erase(other, and: person)
                    let items = try transaction.curation.lists(naming: person, limit: 10)
                    try transaction.curation.forgetPartner(inLists: items.map(\.key))
                }
            }
        }
    }

    @Test(
        "Whoever asked for a blend sees the same of a block as of an erasure: the request to a visible person ends",
        arguments: Departure.allCases)
    func endedRequest(departure: Departure) async throws {
        try await BlendFixture.run { blends in
            let list = try await blends.write { try $0.request("bea", by: "ada") }
            try await departure.perform(by: "bea", from: "ada", in: blends)
            #expect(try await blends.partners(of: "ada") == [])
            #expect(try await blends.gonePartners(of: "ada").count == 1)
            let failed = try #require(try await blends.lists(of: "ada").first)
            #expect(failed.id == list.id && failed.state == .failed && failed.error == .notAgreed)
            #expect(failed.partnerID == nil && failed.request.with == nil)
        }
    }

    @Test("Blends are separated in the same order by a block and by an erasure", arguments: Departure.allCases)
    func orderOfChanges(departure: Departure) async throws {
        try await BlendFixture.run { blends in
            try await blends.agree()
            for _ in 0..<3 { try await blends.finish(try await blends.begin()) }
            let begun = try await blends.begin()
            try await departure.perform(by: "bea", from: "ada", in: blends)
            // The latest first, after the agreement.
            let lists = try await blends.lists(of: "ada")
            #expect(lists.map(\.change) == lists.map(\.change).sorted() && lists.count == 4)
            #expect(lists.first?.id == begun.id && lists.first?.error == .notAgreed)
            #expect(lists.allSatisfy { $0.partnerID == nil })
            let gone = try await blends.database.read { try $0.goneItems(userID: "ada", after: 0, limit: 10) }
            let agreement = try #require(gone.first { $0.kind == .blendPartner })
            #expect(try #require(lists.first).change > agreement.change)
        }
    }

    @Test("A private profile that is erased leaves the requests of others as if nobody had had the name")
    func erasedPrivatePerson() async throws {
        try await BlendFixture.run { blends in
            let before = try await blends.write { transaction in
                try transaction.visibility.setVisibility(.private, userID: "bea")
                _ = try transaction.request("bea", by: "ada")
                return try transaction.curation.partners(of: "ada")
            }
            try await blends.write { transaction in
                try transaction.visibility.close(userID: "bea")
                try transaction.curation.erase("ada", and: "bea")
                let items = try transaction.curation.lists(naming: "bea", limit: 10)
                #expect(items.count == 1)
                try transaction.curation.forgetPartner(inLists: items.map(\.key))
            }
            let after = try await blends.database.read { try $0.curation.partners(of: "ada") }
            #expect(after.map(\.id) == before.map(\.id) && after.map(\.personID) == [nil])
            let list = try #require(try await blends.lists(of: "ada").first)
            #expect(list.awaitsConsent && list.request.with == "bea" && list.partnerID == nil)
            #expect(try await blends.gonePartners(of: "ada") == [])
        }
    }
}
