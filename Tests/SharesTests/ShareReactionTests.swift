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

    /// Those who reacted, as a person sees them: the numbers of those who are named, and how many others there are.
    private static func reactors(
        to id: ShareID, seenBy number: Int, limit: Int = 10, of shares: SampleShares
    ) async throws -> (named: [Int], others: Int, pages: Int) {
        try await shares.database.read { reader in
            let viewer = try #require(try reader.visibility.viewer(userID: SampleShares.name(number)))
            var (named, others, pages): ([String], Int, Int) = ([], 0, 0)
            var cursor: Cursor<Int>?
            repeat {
                let page = try #require(try reader.shares.reactors(to: id, for: viewer, after: cursor, limit: limit))
                #expect(page.items.count <= limit)
                named += page.items.map(\.person.userID)
                others += page.others
                pages += 1
                cursor = try page.nextCursor.map { try #require(shareReactionList.cursor($0)) }
            } while cursor != nil
            return (named.compactMap { Int($0.dropFirst(SampleShares.name(0).count - 1)) }, others, pages)
        }
    }

    @Test("Whom the viewer may not see is counted and not named, to the sender as well")
    func privateReactors() async throws {
        try await SampleShares.run(people: 5) { shares in
            let id = try await shares.made(by: 0)
            for person in 1..<5 { try await shares.react(.sad, to: id, by: person) }
            // The sender knows this one as a follower, and can block and report them.
            try await shares.follow(0, by: 2)
            for person in [1, 2] { try await shares.setVisibility(.private, of: person) }
            try await shares.setVisibility(.followers, of: 3)
            for (viewer, named) in [(0, [4, 3, 2]), (1, [4, 3, 1]), (2, [4, 3, 2]), (4, [4, 3])] {
                let found = try await Self.reactors(to: id, seenBy: viewer, of: shares)
                #expect(found.named == named && found.others == 4 - named.count, "\(viewer)")
            }
            #expect(try await shares.share(id, seenBy: 0)?.reactions.counts == [.sad: 4])
            // Those whom a block hides are not counted either.
            try await shares.block(1, by: 0)
            try await shares.block(4, by: 0)
            let blocker = try await Self.reactors(to: id, seenBy: 0, of: shares)
            #expect(blocker.named == [3, 2] && blocker.others == 0)
            #expect(try await shares.share(id, seenBy: 0)?.reactions.counts == [.sad: 2])
        }
    }

    @Test("Each page counts the others of its part of the list, wherever it ends")
    func pagesOfReactors() async throws {
        try await SampleShares.run(people: 12) { shares in
            let id = try await shares.made(by: 0)
            for person in 1..<12 { try await shares.react(.heart, to: id, by: person) }
            for person in [1, 2, 4, 7, 10, 11] { try await shares.setVisibility(.private, of: person) }
            for limit in 1...6 {
                let found = try await Self.reactors(to: id, seenBy: 0, limit: limit, of: shares)
                #expect(found.named == [9, 8, 6, 5, 3] && found.others == 6, "\(limit)")
                #expect(found.pages == (5 + limit - 1) / limit, "\(limit)")
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
