import Model
import Storage
import TestSupport
import Testing
import Visibility

@testable import Shares

@Suite("Reactions to shares")
struct ShareReactionTests {
    @Test("A reaction replaces the former one, thanks are beside it, and the same again changes nothing")
    func reactions() async throws {
        try await SampleShares.run(people: 3) { shares in
            let id = try await shares.made(by: 0)
            for _ in 0..<2 { try await shares.react(.heart, to: id, by: 1) }
            try await shares.react(.heart, to: id, by: 2)
            try await shares.thank(true, for: id, by: 2)
            var seen = try #require(try await shares.share(id, seenBy: 2))
            #expect(
                seen.reactions
                    == ShareReactions(counts: [.heart: 2], thanks: 1, mine: .heart, hasThanked: true))
            try await shares.react(.fire, to: id, by: 2)
            seen = try #require(try await shares.share(id, seenBy: 1))
            #expect(seen.reactions == ShareReactions(counts: [.heart: 1, .fire: 1], thanks: 1, mine: .heart))
            for _ in 0..<2 {
                try await shares.react(nil, to: id, by: 1)
                try await shares.react(nil, to: id, by: 2)
                try await shares.thank(false, for: id, by: 2)
            }
            #expect(try await shares.share(id, seenBy: 0)?.reactions == ShareReactions())
            #expect(try await shares.count("share_reactions") == 0)
            #expect(try await shares.count("share_reaction_counts") == 0)
            await #expect(throws: ShareRefusal.ownShare) { try await shares.react(.heart, to: id, by: 0) }
            await #expect(throws: ShareRefusal.ownShare) { try await shares.thank(true, for: id, by: 0) }
        }
    }

    @Test("A reaction changes the share for the sender and for who reacts, and for nobody else")
    func changes() async throws {
        try await SampleShares.run(people: 4) { shares in
            for follower in 1..<4 { try await shares.follow(0, by: follower) }
            let id = try await shares.made(by: 0)
            let items = try await shares.database.read {
                try $0.rows("SELECT author, change FROM author_log").count
            }
            let before = try await shares.lastChange()
            try await shares.react(.wow, to: id, by: 1)
            #expect(try await shares.changes(of: 0, after: before) == [id])
            #expect(try await shares.changes(of: 1, after: before) == [id])
            #expect(try await shares.changes(of: 2, after: before).isEmpty)
            let (logged, authors) = try await shares.database.read { reader in
                (
                    try reader.people(changedIn: .shares, after: before),
                    try reader.authors(changedAfter: before, limit: 10)
                )
            }
            #expect(logged == [SampleShares.name(0), SampleShares.name(1)] && authors.isEmpty)
            #expect(items == 1)
        }
    }

    @Test("A block hides the reactions between two people, and its end brings them back")
    func blocks() async throws {
        try await SampleShares.run(people: 4) { shares in
            let id = try await shares.made(by: 0)
            for person in 1..<4 { try await shares.react(.laugh, to: id, by: person) }
            try await shares.thank(true, for: id, by: 1)
            func people(seenBy number: Int) async throws -> [String]? {
                try await shares.database.read { reader in
                    let viewer = try #require(try reader.visibility.viewer(userID: SampleShares.name(number)))
                    return try reader.shares.reactors(to: id, for: viewer, limit: 10)?.items.map(\.person.userID)
                }
            }
            #expect(try await people(seenBy: 0)?.count == 3)
            try await shares.block(1, by: 0)
            #expect(try await people(seenBy: 0) == [SampleShares.name(3), SampleShares.name(2)])
            #expect(try await people(seenBy: 1) == nil, "the share itself is gone for the other")
            var seen = try #require(try await shares.share(id, seenBy: 0)).reactions
            #expect(seen.counts == [.laugh: 2] && seen.thanks == 0)
            // Others still count everybody.
            seen = try #require(try await shares.share(id, seenBy: 3)).reactions
            #expect(seen.counts == [.laugh: 3] && seen.thanks == 1)
            try await shares.block(3, by: 2)
            #expect(try await shares.share(id, seenBy: 2)?.reactions.counts == [.laugh: 2])
            #expect(try await shares.share(id, seenBy: 3)?.reactions.counts == [.laugh: 2])
            try await shares.unblock(1, by: 0)
            try await shares.unblock(3, by: 2)
            #expect(try await people(seenBy: 0)?.count == 3)
            #expect(try await shares.share(id, seenBy: 0)?.reactions.counts == [.laugh: 3])
            #expect(try await shares.share(id, seenBy: 1)?.reactions.mine == .laugh)
        }
    }

    @Test("Whoever has reacted learns once that the sender is gone, and the sender of theirs, not share by share")
    func departures() async throws {
        try await SampleShares.run(people: 4) { shares in
            let ids = [try await shares.made(1, by: 0), try await shares.made(2, by: 0)]
            let own = try await shares.made(by: 1)
            for id in ids { try await shares.react(.wow, to: id, by: 1) }
            try await shares.react(.wow, to: own, by: 2)
            let before = try await shares.lastChange()
            try await shares.erase(0)
            try await shares.erase(2)
            let gone = try await shares.database.read {
                try $0.goneItems(userID: SampleShares.name(1), after: before, limit: 100)
            }
            #expect(gone.map(\.kind.name) == ["itemsOf", "person", "itemsOf", "person"])
            #expect(gone.map(\.id) == [0, 0, 2, 2].map(SampleShares.name))
            #expect(try await shares.changes(of: 1, after: before).isEmpty)
            #expect(try await shares.share(own, seenBy: 1)?.reactions == ShareReactions())
            #expect(try await shares.gone(for: 3).isEmpty)
            #expect(try await shares.count("relation_changes") == 0)
        }
    }

    @Test("Changes leave out the shares of somebody who has closed their profile or blocked the person")
    func hiddenChanges() async throws {
        try await SampleShares.run(people: 4) { shares in
            let before = try await shares.lastChange()
            for sender in 1..<4 { try await shares.react(.wow, to: try await shares.made(by: sender), by: 0) }
            #expect(try await shares.changes(of: 0, after: before).count == 3)
            try await shares.setVisibility(.private, of: 1)
            try await shares.block(0, by: 2)
            let left = try await shares.changes(of: 0, after: before)
            #expect(left.count == 1)
            let share = try await shares.share(try #require(left.first), seenBy: 0)
            #expect(share?.sender.userID == SampleShares.name(3))
        }
    }

    @Test("Those with a private profile are shown to the sender only")
    func privateReactors() async throws {
        try await SampleShares.run(people: 3) { shares in
            let id = try await shares.made(by: 0)
            try await shares.setVisibility(.private, of: 1)
            try await shares.react(.sad, to: id, by: 1)
            for (viewer, count) in [(0, 1), (1, 1), (2, 0)] {
                let found = try await shares.database.read { reader in
                    let viewer = try #require(try reader.visibility.viewer(userID: SampleShares.name(viewer)))
                    return try reader.shares.reactors(to: id, for: viewer, limit: 10)?.items.count
                }
                #expect(found == count, "\(viewer)")
            }
        }
    }

    @Test("Sixty reactions are possible at once, changes among them, and withdrawing counts as none")
    func limit() async throws {
        try await SampleShares.run(people: 2) { shares in
            let id = try await shares.made(by: 0)
            for number in 0..<60 { try await shares.react(number.isMultiple(of: 2) ? .heart : .fire, to: id, by: 1) }
            await #expect(throws: ActLimitReached.self) { try await shares.react(.dance, to: id, by: 1) }
            #expect(try await shares.share(id, seenBy: 1)?.reactions.mine == .fire)
            try await shares.react(nil, to: id, by: 1)
            #expect(try await shares.share(id, seenBy: 1)?.reactions.mine == nil)
        }
    }

    @Test("Taking a share back deletes the reactions of any number of people, and tells those who reacted")
    func removal() async throws {
        try await SampleShares.run(people: 251) { shares in
            let id = try await shares.made(by: 0)
            try await shares.database.write { transaction in
                for person in 1...250 {
                    try transaction.shares.react(
                        .dance, to: id, by: SampleShares.name(person), now: SampleShares.noon)
                }
            }
            try await shares.takeBack(id, by: 0)
            #expect(try await shares.count("share_reactions") == 150)
            #expect(try await shares.count("share_reaction_counts") == 0)
            while try await shares.database.write({ try $0.shares.deleteLeftReactions(limit: 60) }) > 0 {}
            for table: StaticString in ["share_reactions", "share_removals", "share_changes"] {
                #expect(try await shares.count(table) == 0, "\(table)")
            }
            for person in [0, 1, 250] { #expect(try await shares.gone(for: person).contains(id.text), "\(person)") }
        }
    }
}
