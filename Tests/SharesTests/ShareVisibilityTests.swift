import Model
import Storage
import TestSupport
import Testing
import Visibility

@testable import Shares

@Suite("Who sees a share")
struct ShareVisibilityTests {
    @Test("Exactly those who may see the sender's profile see the share", arguments: ProfileVisibility.allCases)
    func profile(visibility: ProfileVisibility) async throws {
        try await SampleShares.run(people: 6) { shares in
            // 1 follows, 2 does not, 3 has blocked, 4 was blocked, 5 is suspended.
            try await shares.follow(0, by: 1)
            try await shares.block(0, by: 3)
            try await shares.block(4, by: 0)
            try await shares.setVisibility(visibility, of: 0)
            _ = try await shares.database.write { try $0.visibility.suspend(userID: SampleShares.name(5)) }
            let id = try await shares.made(by: 0)
            for viewer in 0..<6 {
                let maySee = try await shares.database.read {
                    try $0.visibility.canSee(.profile, of: SampleShares.name(0), as: SampleShares.name(viewer))
                }
                #expect(try await (shares.share(id, seenBy: viewer) != nil) == maySee, "\(viewer)")
                guard viewer != 0, viewer != 5, !maySee else { continue }
                // What one may not see is answered like nothing.
                await #expect(throws: ShareRefusal.unknownShare) {
                    try await shares.react(.heart, to: id, by: viewer)
                }
            }
        }
    }

    @Test("A suspension hides shares, and its end brings them back")
    func suspension() async throws {
        try await SampleShares.run(people: 2) { shares in
            let id = try await shares.made(by: 0)
            _ = try await shares.database.write { try $0.visibility.suspend(userID: SampleShares.name(0)) }
            #expect(try await shares.share(id, seenBy: 1) == nil)
            _ = try await shares.database.write { try $0.visibility.reinstate(userID: SampleShares.name(0)) }
            #expect(try await shares.share(id, seenBy: 1) != nil)
        }
    }

    @Test("An id with the right number and another moment shows nothing")
    func guessedIDs() async throws {
        try await SampleShares.run(people: 2) { shares in
            let id = try await shares.made(by: 0)
            let guess = ShareID(number: id.number, milliseconds: id.milliseconds + 1)
            #expect(try await shares.share(guess, seenBy: 0) == nil)
            await #expect(throws: ShareRefusal.unknownShare) { try await shares.takeBack(guess, by: 0) }
            await #expect(throws: ShareRefusal.unknownShare) { try await shares.react(.heart, to: guess, by: 1) }
        }
    }

    @Test("Only the sender pins a share, one at a time, until its end or until it is taken back")
    func pins() async throws {
        try await SampleShares.run(people: 2) { shares in
            let (one, other) = (try await shares.made(1, by: 0), try await shares.made(2, by: 0))
            func pin(_ id: ShareID, by number: Int, until end: Timestamp? = nil) async throws -> Timestamp {
                try await shares.database.write {
                    try $0.shares.pin(id, until: end, by: SampleShares.name(number), now: SampleShares.noon)
                }
            }
            await #expect(throws: ShareRefusal.unknownShare) { _ = try await pin(one, by: 1) }
            let week = SampleShares.noon.advanced(by: .seconds(7 * 86_400))
            #expect(try await pin(one, by: 0) == week)
            #expect(try await shares.share(one, seenBy: 1)?.pinnedUntil == week)
            let before = try await shares.lastChange()
            _ = try await pin(other, by: 0)
            #expect(try await shares.share(one, seenBy: 1)?.pinnedUntil == nil)
            #expect(Set(try await shares.changes(of: 0, after: before)) == [one, other])
            try await shares.takeBack(other, by: 0)
            #expect(try await shares.count("share_pins") == 0)
            _ = try await pin(one, by: 0, until: SampleShares.noon)
            #expect(try await shares.share(one, seenBy: 1)?.pinnedUntil == nil, "it has ended")
        }
    }
}
