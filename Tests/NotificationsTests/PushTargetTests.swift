import Model
import NotificationSources
import Storage
import TestSupport
import Testing
import Vault

@testable import Notifications

@Suite("Push targets")
struct PushTargetTests {
    private typealias Sample = SampleNotifications

    private func secret(_ number: Int, of person: Int, in sample: SampleNotifications) async throws -> String? {
        let name = PushTarget.secretName(id: Sample.targetID(number), userID: Sample.name(person))
        let sealed = try await sample.database.read {
            try $0.vault.sealedSecret(userID: name.userID, provider: name.provider.rawValue, field: name.field)
        }
        #expect(sealed.map(\.hint) ?? "" == "")
        return try sealed.map { try sample.sealer.vault.open($0, as: name).reveal() }
    }

    @Test("A target's address is a secret of the vault, which goes with it")
    func secrets() async throws {
        try await Sample.run(people: 1) { sample in
            try await sample.addTarget(of: 0)
            #expect(try await secret(0, of: 0, in: sample) == "address 0")
            try await sample.database.write {
                try $0.notifications.removeTarget(Sample.targetID(0), of: Sample.name(0))
            }
            #expect(try await secret(0, of: 0, in: sample) == nil)
            await #expect(throws: NotificationRefusal.unknownTarget) {
                try await sample.database.write {
                    try $0.notifications.removeTarget(Sample.targetID(0), of: Sample.name(0))
                }
            }
        }
    }

    @Test("The same id again confirms the target, and another address drops what waits for the former one")
    func again() async throws {
        try await Sample.run(people: 2) { sample in
            let first = try await sample.addTarget(of: 0)
            try await sample.wave(at: 0, by: 1)
            let later = Sample.noon.after(seconds: 60)
            let second = try await sample.addTarget(of: 0, now: later)
            #expect(second.createdAt == first.createdAt)
            #expect(second.confirmedAt == later)
            #expect(try await sample.due().count == 1)
            try await sample.wave(at: 0, by: 1, subject: "other")
            try await sample.addTarget(of: 0, fingerprint: "another", now: later)
            #expect(try await sample.due(at: later).isEmpty)
        }
    }

    @Test("A person has ten targets at most")
    func capacity() async throws {
        try await Sample.run(people: 1) { sample in
            for number in 0..<9 { try await sample.addTarget(number, of: 0) }
            try await sample.database.write { [sealer = sample.sealer] transaction in
                for (number, isLast) in [(1, false), (2, true)] {
                    let target = NewPushTarget(
                        channel: .ntfy, host: "ntfy.example", fingerprint: "ntfy \(number)", secret: Secret("x"))
                    let put = {
                        try transaction.notifications.putTarget(
                            target, id: "11111111-0000-4000-8000-00000000000\(number)", of: Sample.name(0),
                            credential: .token(hash: "t"), by: sealer, now: Sample.noon)
                    }
                    if isLast {
                        #expect(throws: NotificationRefusal.tooManyTargets(limit: 10)) { try put() }
                    } else {
                        _ = try put()
                    }
                }
            }
            #expect(try await sample.targets(of: 0).count == 10)
            try await sample.addTarget(3, of: 0)
        }
    }

    @Test("A browser belongs to whoever posted its subscription last; a topic may be read by several people")
    func sharedDevices() async throws {
        try await Sample.run(people: 2) { sample in
            try await sample.addTarget(0, of: 0, fingerprint: "browser")
            try await sample.addTarget(1, of: 0, channel: .ntfy, fingerprint: "topic")
            try await sample.addTarget(2, of: 1, fingerprint: "browser")
            try await sample.addTarget(3, of: 1, channel: .ntfy, fingerprint: "topic")
            #expect(try await sample.targets(of: 0).map(\.id) == [Sample.targetID(1)])
            #expect(try await sample.targets(of: 1).count == 2)
            // One person has it once, whatever id the page has made.
            try await sample.addTarget(4, of: 1, channel: .ntfy, fingerprint: "topic")
            #expect(Set(try await sample.targets(of: 1).map(\.id)) == [Sample.targetID(2), Sample.targetID(4)])
        }
    }

    @Test("Targets end with their session, and browsers' subscriptions that no page has posted for 60 days")
    func pruning() async throws {
        try await Sample.run(people: 1) { sample in
            let old = Sample.noon.after(seconds: -61 * 86_400)
            try await sample.addTarget(0, of: 0, now: old)
            try await sample.addTarget(1, of: 0, channel: .ntfy, now: old)
            try await sample.addTarget(2, of: 0, session: "ended")
            try await sample.addTarget(3, of: 0)
            sample.zones.end(.session(hash: "ended"))
            let accounts = sample.accounts
            var last: PushTargetKey?
            repeat {
                let after = last
                last = try await sample.database.write {
                    try $0.notifications.pruneTargets(
                        after: after, accounts: accounts, now: .unguarded(Sample.noon), limit: 1)
                }
            } while last != nil
            #expect(Set(try await sample.targets(of: 0).map(\.id)) == [Sample.targetID(1), Sample.targetID(3)])
        }
    }

    @Test("A target that the service no longer has is deleted, and only that one")
    func gone() async throws {
        try await Sample.run(people: 2) { sample in
            try await sample.addTarget(0, of: 0)
            try await sample.addTarget(1, of: 0)
            try await sample.wave(at: 0, by: 1)
            let due = try await sample.due()
            try await sample.finish(due.filter { $0.target.id == Sample.targetID(0) }, as: .targetGone)
            #expect(try await sample.targets(of: 0).map(\.id) == [Sample.targetID(1)])
            #expect(try await secret(0, of: 0, in: sample) == nil)
            #expect(try await secret(1, of: 0, in: sample) != nil)
        }
    }

    @Test("What a service says of a target's former address or token does not end one that was posted meanwhile")
    func postedMeanwhile() async throws {
        try await Sample.run(people: 3) { sample in
            try await sample.addTarget(0, of: 0, fingerprint: "former")
            try await sample.addTarget(1, of: 1, channel: .ntfy)
            for person in [0, 1] { try await sample.wave(at: person, by: 2) }
            let due = try await sample.due()
            let later = Sample.noon.after(seconds: 1)
            try await sample.addTarget(0, of: 0, fingerprint: "present", now: later)
            try await sample.addTarget(1, of: 1, channel: .ntfy, now: later)
            try await sample.finish(due.filter { $0.userID == Sample.name(0) }, as: .targetGone, at: later)
            try await sample.finish(
                due.filter { $0.userID == Sample.name(1) }, as: .refused(answer: "status 401"), at: later)
            #expect(try await sample.targets(of: 0).map(\.fingerprint) == ["present"])
            #expect(try await sample.targets(of: 1).map(\.refusedAt) == [nil])
            // The other token may be the right one.
            #expect(try await sample.take(at: later).deliveries.map(\.userID) == [Sample.name(1)])
        }
    }

    @Test("A push service that refuses several people's targets gets nothing for an hour, then a test")
    func refusal() async throws {
        try await Sample.run(people: 5) { sample in
            for person in 0..<4 { try await sample.addTarget(of: person) }
            for person in 0..<4 { try await sample.wave(at: person, by: 4) }
            let due = try await sample.due()
            #expect(due.count == 4)
            for (number, delivery) in due.prefix(3).enumerated() {
                let refusals = try await sample.finish([delivery], as: .refused(answer: "status 403"))
                // One or two people may have targets of their own making.
                #expect(refusals.map(\.host) == (number == 2 ? [Sample.host] : []))
            }
            try await sample.finish([due[3]], as: .again(at: Sample.noon))
            #expect(try await sample.take().deliveries.isEmpty)
            let later = Sample.noon.after(seconds: 3_600)
            let again = try await sample.take(at: later).deliveries
            #expect(again.count == 4)
            try await sample.finish([again[0]], as: .sent, at: later)
            #expect(try await sample.database.read { try $0.notifications.refusals().isEmpty })
        }
    }

    @Test("Where one person alone has targets at a service, its refusal counts at once")
    func refusalOfAll() async throws {
        try await Sample.run(people: 2) { sample in
            try await sample.addTarget(of: 0)
            try await sample.wave(at: 0, by: 1)
            let refusals = try await sample.finish(try await sample.due(), as: .refused(answer: "status 401"))
            #expect(refusals.map(\.answer) == ["status 401"])
            #expect(refusals.map(\.nextAt) == [Sample.noon.after(seconds: 3_600)])
        }
    }

    @Test("A target that was refused gets nothing for an hour, nor of what happens meanwhile")
    func refusedTarget() async throws {
        try await Sample.run(people: 3) { sample in
            for person in [0, 1] { try await sample.addTarget(of: person) }
            try await sample.wave(at: 0, by: 2)
            try await sample.finish(try await sample.due(), as: .refused(answer: "status 403"))
            try await sample.database.write { transaction in
                try transaction.notifications.record(
                    .init(
                        recipientID: Sample.name(0), kind: .wave, subject: "later", actorID: Sample.name(2),
                        itemID: "later", time: Sample.noon), kinds: Sample.kinds, accounts: sample.accounts,
                    now: Sample.noon.after(seconds: 60))
            }
            #expect(try await sample.due(at: Sample.noon.after(seconds: 3_599)).isEmpty)
            #expect(try await sample.due(at: Sample.noon.after(seconds: 3_600)).count == 2)
        }
    }

    @Test("A target for which its service asks to wait gets nothing before then, whatever happens meanwhile")
    func pausedTarget() async throws {
        try await Sample.run(people: 3) { sample in
            for number in [0, 1] { try await sample.addTarget(number, of: 0) }
            for subject in ["one", "two"] { try await sample.wave(at: 0, by: 1, subject: subject) }
            let due = try await sample.due().filter { $0.target.id == Sample.targetID(0) }
            try await sample.finish([due[0]], as: .paused(until: Sample.noon.after(seconds: 90)))
            // It was taken, and not sent after the answer.
            try await sample.finish([due[1]], as: .again(at: Sample.noon))
            // The page posts the same subscription at each of its starts.
            try await sample.addTarget(0, of: 0, now: Sample.noon.after(seconds: 1))
            try await sample.wave(at: 0, by: 2, subject: "three")
            let meanwhile = try await sample.due(at: Sample.noon.after(seconds: 89))
            #expect(meanwhile.map(\.target.id) == [Sample.targetID(1)])
            let later = Sample.noon.after(seconds: 90)
            let again = try await sample.due(at: later)
            #expect(again.map(\.target.id) == Array(repeating: Sample.targetID(0), count: 3))
            // Another address has not asked for anything.
            try await sample.finish(again, as: .paused(until: later.after(seconds: 90)), at: later)
            try await sample.addTarget(0, of: 0, fingerprint: "another", now: later)
            try await sample.wave(at: 0, by: 2, subject: "four")
            let targets = try await sample.due(at: later).map(\.target.id)
            #expect(Set(targets) == [Sample.targetID(0), Sample.targetID(1)])
        }
    }

    @Test("A push service that accepts a push in between does not refuse the installation")
    func refusalOfSome() async throws {
        try await Sample.run(people: 5) { sample in
            for person in 0..<4 { try await sample.addTarget(of: person) }
            for person in 0..<4 { try await sample.wave(at: person, by: 4) }
            let due = try await sample.due()
            try await sample.finish(Array(due.prefix(2)), as: .refused(answer: "status 403"))
            try await sample.finish([due[2]], at: Sample.noon.after(seconds: 1))
            let later = Sample.noon.after(seconds: 2)
            #expect(try await sample.finish([due[3]], as: .refused(answer: "status 403"), at: later).isEmpty)
        }
    }

    @Test("A person with a device that is refused, and another that is accepted, stops nothing")
    func refusalOfOneDevice() async throws {
        try await Sample.run(people: 2) { sample in
            for number in [0, 1] { try await sample.addTarget(number, of: 0) }
            try await sample.wave(at: 0, by: 1)
            let due = try await sample.due()
            try await sample.finish([due[0]])
            let later = Sample.noon.after(seconds: 1)
            #expect(try await sample.finish([due[1]], as: .refused(answer: "status 403"), at: later).isEmpty)
        }
    }

    @Test("An ntfy server that refuses the token gets nothing before another one is posted")
    func refusedToken() async throws {
        try await Sample.run(people: 2) { sample in
            try await sample.addTarget(of: 0, channel: .ntfy)
            try await sample.wave(at: 0, by: 1)
            try await sample.finish(try await sample.due(), as: .refused(answer: "status 403"))
            #expect(try await sample.targets(of: 0).allSatisfy { $0.refusedAt != nil })
            #expect(try await sample.database.read { try $0.notifications.refusals().isEmpty })
            try await sample.wave(at: 0, by: 1, subject: "later")
            #expect(try await sample.due(at: Sample.noon.after(seconds: 7_200)).isEmpty)
            try await sample.addTarget(of: 0, channel: .ntfy)
            try await sample.wave(at: 0, by: 1, subject: "after")
            #expect(try await sample.due(at: Sample.noon.after(seconds: 7_200)).count == 1)
        }
    }

    @Test("The key for Web Push is made once, and its private half is sealed")
    func keys() async throws {
        try await Sample.run(people: 0) { sample in
            func store(_ key: String) async throws -> Bool {
                try await sample.database.write { [sealer = sample.sealer] in
                    try $0.notifications.storeWebPushKey(
                        publicKey: key, privateKey: Secret("private " + key), by: sealer, now: Sample.noon)
                }
            }
            #expect(try await store("one"))
            #expect(try await !store("two"))
            let stored = try await sample.database.read {
                (try $0.notifications.webPushKey(), try $0.vault.installationSecret(.webPushKey))
            }
            #expect(stored.0 == "one")
            let sealed = try #require(stored.1)
            #expect(try sample.sealer.vault.open(sealed, as: .webPushKey).reveal() == "private one")
        }
    }
}
