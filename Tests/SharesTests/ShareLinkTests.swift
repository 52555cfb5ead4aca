import Model
import Storage
import TestSupport
import Testing
import Visibility

@testable import Shares

@Suite("Links to shares")
struct ShareLinkTests {
    private static func link(
        _ shares: SampleShares, to id: ShareID, by number: Int = 0, days: Int = 30, showsName: Bool = false
    ) async throws -> (link: ShareLink, token: ShareToken) {
        try await shares.database.write {
            try $0.shares.addLink(
                to: id, by: SampleShares.name(number), days: days, showsName: showsName, now: SampleShares.noon)
        }
    }

    private static func shown(
        _ shares: SampleShares, _ token: ShareToken, at now: Timestamp = SampleShares.noon
    ) async throws -> LinkedShare? {
        try await shares.database.read { try $0.shares.share(linkedBy: token, now: now) }
    }

    @Test("A link shows the share until its end, and the sender only where that is wanted")
    func showing() async throws {
        try await SampleShares.run(people: 2) { shares in
            let id = try await shares.made(by: 0)
            let (hidden, named) = (
                try await Self.link(shares, to: id, days: 1), try await Self.link(shares, to: id, showsName: true)
            )
            #expect(try await Self.shown(shares, hidden.token)?.senderID == nil)
            #expect(try await Self.shown(shares, named.token)?.senderID == SampleShares.name(0))
            #expect(try await Self.shown(shares, hidden.token)?.song == SampleShares.song())
            let end = SampleShares.noon.advanced(by: .seconds(86_400))
            #expect(hidden.link.expiresAt == end)
            #expect(try await Self.shown(shares, hidden.token, at: end) == nil)
            #expect(try await Self.shown(shares, named.token, at: end) != nil)
            #expect(try await Self.shown(shares, .random()) == nil)
            await #expect(throws: ShareRefusal.unknownShare) { _ = try await Self.link(shares, to: id, by: 1) }
            let listed = try await shares.database.read {
                try $0.shares.links(of: id, userID: SampleShares.name(0), now: SampleShares.noon)
            }
            #expect(listed == [named.link, hidden.link])
            let ofOther = try await shares.database.read {
                try $0.shares.links(of: id, userID: SampleShares.name(1), now: SampleShares.noon)
            }
            #expect(ofOther == nil)
            let pruned = try await shares.database.write {
                try $0.shares.pruneLinks(endedBefore: .unguarded(end.advanced(by: .seconds(1))), limit: 10)
            }
            #expect(pruned == 1)
        }
    }

    @Test("The database has no secret of a link")
    func hashes() async throws {
        try await SampleShares.run(people: 1) { shares in
            let id = try await shares.made(by: 0)
            let token = try await Self.link(shares, to: id).token
            let stored = try await shares.database.read {
                try $0.map("SELECT token FROM share_links") { try $0["token"] as String }
            }
            #expect(stored == [token.hash] && !stored[0].contains(token.secret.reveal()))
            #expect(ShareToken(token.secret.reveal())?.hash == token.hash)
            for text in ["", "short", token.secret.reveal() + "A", String(repeating: "ä", count: 43)] {
                #expect(ShareToken(text) == nil)
            }
        }
    }

    @Test("A link ends when it is revoked, with its share, and for good when the profile becomes private")
    func ends() async throws {
        try await SampleShares.run(people: 2) { shares in
            let (one, other) = (try await shares.made(1, by: 0), try await shares.made(2, by: 0))
            let revoked = try await Self.link(shares, to: one)
            func revoke(by number: Int) async throws {
                try await shares.database.write {
                    try $0.shares.revokeLink(revoked.link.id, to: one, by: SampleShares.name(number))
                }
            }
            await #expect(throws: ShareRefusal.unknownShare) { try await revoke(by: 1) }
            #expect(try await Self.shown(shares, revoked.token) != nil)
            for _ in 0..<2 { try await revoke(by: 0) }
            #expect(try await Self.shown(shares, revoked.token) == nil)

            let ofShare = try await Self.link(shares, to: one)
            try await shares.takeBack(one, by: 0)
            #expect(try await Self.shown(shares, ofShare.token) == nil)

            let ofProfile = try await Self.link(shares, to: other)
            try await shares.setVisibility(.followers, of: 0)
            #expect(try await Self.shown(shares, ofProfile.token) != nil)
            _ = try await shares.database.write { try $0.visibility.suspend(userID: SampleShares.name(0)) }
            #expect(try await Self.shown(shares, ofProfile.token) == nil)
            _ = try await shares.database.write { try $0.visibility.reinstate(userID: SampleShares.name(0)) }
            #expect(try await Self.shown(shares, ofProfile.token) != nil)
            try await shares.setVisibility(.private, of: 0)
            try await shares.setVisibility(.public, of: 0)
            #expect(try await Self.shown(shares, ofProfile.token) == nil)
            #expect(try await shares.count("share_links") == 0)

            try await shares.setVisibility(.private, of: 0)
            await #expect(throws: ShareRefusal.profileIsPrivate) { _ = try await Self.link(shares, to: other) }
        }
    }

    @Test("An erasure ends the links in its first transaction")
    func erasure() async throws {
        try await SampleShares.run(people: 1) { shares in
            let id = try await shares.made(by: 0)
            let token = try await Self.link(shares, to: id).token
            try await shares.database.write { try $0.visibility.close(userID: SampleShares.name(0)) }
            #expect(try await Self.shown(shares, token) == nil)
            #expect(try await shares.count("share_links") == 0)
        }
    }
}
