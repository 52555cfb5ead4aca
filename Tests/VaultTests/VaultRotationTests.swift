import Model
import Storage
import Testing

@testable import Vault

@Suite("Rotating the vault's key", .timeLimit(.minutes(5)))
struct VaultRotationTests {
    @Test("Every secret is resealed in batches and opens as before, and the former key is removed")
    func resealingInBatches() async throws {
        try await RotationFixture.run { fixture in
            let count = Database.resealBatch * 2 + 7
            try await fixture.put(count)
            let former = try fixture.file.read().current.id
            let progress = try await fixture.rotation.run()
            #expect(progress.resealed == count && progress.dropped == [former] && progress.remaining == 0)
            #expect(try fixture.keyIDs == [progress.currentID] && progress.currentID != former)
            #expect(try await fixture.opened() == count)
            // The hint of a secret stays the same.
            let secrets = try await fixture.database.read { try $0.vault.secrets(sealedWith: progress.currentID) }
            #expect(secrets.count == count && secrets.allSatisfy { $0.secret.hint == "0042" })
        }
    }

    @Test("An interrupted rotation continues with the key that it has made")
    func interruptedRotation() async throws {
        try await RotationFixture.run { fixture in
            try await fixture.put(5)
            let former = try fixture.file.read().current.id
            let made = try await fixture.rotation.begin(publishing: true)
            #expect(try fixture.keyIDs == [made.current.id, former])
            // Some secrets are already sealed with the new key, and others are added.
            try await fixture.put(2)
            try await fixture.put(8, from: 5)
            let progress = try await fixture.rotation.run()
            #expect(progress.currentID == made.current.id && progress.resealed == 3 && progress.dropped == [former])
            #expect(try await fixture.opened() == 13)
            // Only removing the former key remains to be done.
            try fixture.file.replace(with: VaultKeyring(current: made.current, former: [.random()]))
            #expect(try await fixture.rotation.run().dropped.count == 1)
            #expect(try fixture.keyIDs == [made.current.id])
        }
    }

    @Test("A former key is removed only once both files have another current key")
    func publicKey() async throws {
        try await RotationFixture.run { fixture in
            try await fixture.put(3)
            let (gateway, former) = (CurrentPublicKey(file: fixture.files.publicKey), try fixture.file.read().current)
            // Workers report the new key before the gateway seals with it.
            let made = try await fixture.rotation.begin(publishing: false)
            #expect(try fixture.files.publicKey.read() == former.publicKey)
            let reader = VaultReader(worker: "w", keyring: try fixture.file.read())
            #expect(reader.keyIDs == [former.id, made.current.id])
            #expect(try await fixture.sealCandidate("c", by: gateway).keyID == former.id)
            let progress = try await fixture.rotation.run()
            #expect(progress.currentID == made.current.id && progress.resealed == 3 && progress.remaining == 1)
            #expect(try fixture.files.publicKey.read() == made.current.publicKey && progress.dropped == [])
            #expect(try await fixture.sealCandidate("d", by: gateway).keyID == made.current.id)
            try await fixture.end(candidate: "c")
            #expect(try await fixture.rotation.run().dropped == [former.id])
            // After a crash between the two files the next rotation continues; until then values of the gateway open.
            let next = VaultKeyring(current: .random(), former: [made.current])
            try fixture.file.replace(with: next)
            let sealed = try await fixture.sealCandidate("e", by: gateway)
            #expect(sealed.keyID == made.current.id)
            #expect(try fixture.vault.open(sealed, as: fixture.candidateName("e")) == Secret("e"))
            try await fixture.end(candidate: "d")
            #expect(try await fixture.rotation.run().remaining == 1)
            #expect(try fixture.files.publicKey.read() == next.current.publicKey)
            try await fixture.end(candidate: "e")
            #expect(try await fixture.rotation.run().dropped == [made.current.id])
            #expect(try await fixture.opened() == 3)
        }
    }

    @Test("While other processes seal and open, nothing is sealed with a removed key")
    func rotationDuringUse() async throws {
        try await RotationFixture.run { fixture in
            try await fixture.put(20)
            let others = try (0..<3).map { _ in try fixture.another() }
            defer { for other in others { other.database.close() } }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, other) in others.enumerated() {
                    group.addTask {
                        let gateway = CurrentPublicKey(file: other.files.publicKey)
                        for round in 0... {
                            guard !Task.isCancelled else { return }
                            let number = (round * 3 + index) % 20
                            try await other.put(1, from: number)
                            #expect(try await other.open(number) == other.secret(number))
                            let candidate = "\(index)-\(round)"
                            let sealed = try await other.sealCandidate(candidate, by: gateway)
                            #expect(
                                try other.vault.open(sealed, as: other.candidateName(candidate)) == Secret(candidate))
                            try await other.end(candidate: candidate)
                        }
                    }
                }
                for _ in 0..<20 {
                    let progress = try await fixture.rotation.run()
                    #expect(progress.damaged == 0 && progress.lost == 0)
                    // A candidate may need a former key for a short time.
                    #expect(progress.dropped.count + progress.remaining > 0)
                }
                group.cancelAll()
                try await group.waitForAll()
            }
            _ = try await fixture.rotation.run()
            #expect(try fixture.keyIDs.count == 1)
            #expect(try await fixture.opened() == 20)
        }
    }

    @Test("A secret that changes during resealing keeps its new value")
    func changedSecret() async throws {
        try await RotationFixture.run { fixture in
            try await fixture.put(1)
            let keyring = try await fixture.rotation.begin(publishing: true)
            let read = try await fixture.database.read {
                try $0.vault.secrets(notSealedWith: keyring.current.id, after: nil, limit: 1)
            }
            let stored = try #require(read.first)
            try await fixture.put(1)
            let isWritten = try await fixture.database.write { try $0.vault.reseal(stored, as: stored.secret) }
            #expect(!isWritten)
            #expect(try await fixture.rotation.run().resealed == 0)
            #expect(try await fixture.opened() == 1)
        }
    }

    @Test("Cancelling the task ends resealing between two transactions")
    func cancelledResealing() async throws {
        try await RotationFixture.run { fixture in
            try await fixture.put(4)
            let former = try fixture.file.read().current
            let keyring = try await fixture.rotation.begin(publishing: true)
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await fixture.database.reseal(with: keyring)
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await fixture.keyIDsInUse() == [former.id])
        }
    }

    @Test("Concurrent rotations do not lose each other's keys")
    func concurrentRotations() async throws {
        try await RotationFixture.run { fixture in
            try await fixture.put(30)
            let others = try (0..<4).map { _ in try fixture.another() }
            defer { for other in others { other.database.close() } }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for other in others {
                    group.addTask {
                        for _ in 0..<10 { _ = try await other.rotation.run() }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try fixture.keyIDs.count == 1)
            #expect(try await fixture.opened() == 30)
        }
    }

    @Test("Unfinished sign-ins and candidates retain their key in the file, for both the code and the verifier")
    func unfinishedSignIns() async throws {
        try await RotationFixture.run { fixture in
            try await fixture.put(3)
            let first = try fixture.file.read().current
            try await fixture.begin(signIn: "a", candidate: "c")
            var progress = try await fixture.rotation.run()
            #expect(progress.dropped == [] && progress.remaining == 2)
            try await fixture.end(candidate: "c")
            progress = try await fixture.rotation.run()
            #expect(progress.dropped == [] && progress.remaining == 1)
            // The code was sealed with the second key, which the next rotation makes a former one.
            let second = try fixture.file.read().current
            try await fixture.comeBack(signIn: "a")
            try fixture.file.replace(with: VaultKeyring(current: .random(), former: [second, first]))
            progress = try await fixture.rotation.run()
            #expect(progress.dropped == [] && progress.remaining == 2)
            try await fixture.expire(signIn: "a")
            progress = try await fixture.rotation.run()
            #expect(Set(progress.dropped) == [first.id, second.id] && progress.remaining == 0)
            #expect(try await fixture.opened() == 3)
        }
    }

    @Test("A damaged secret, or one whose key is lost, stays as it is and does not retain a former key")
    func damagedSecrets() async throws {
        try await RotationFixture.run { fixture in
            let lost = try fixture.file.read().current
            try await fixture.put(1)
            try fixture.file.replace(with: VaultKeyring(current: .random()))
            try await fixture.put(2, from: 1)
            try await fixture.damage(2)
            let before = try await fixture.sealed()
            let progress = try await fixture.rotation.run()
            #expect(progress.resealed == 1 && progress.damaged == 1 && progress.lost == 1)
            #expect(progress.dropped.count == 1 && progress.remaining == 0)
            let after = try await fixture.sealed()
            #expect(after[0] == before[0] && after[1] != before[1] && after[2] == before[2])
            // The lost key is restored.
            let present = try fixture.file.read().current
            try fixture.file.replace(with: VaultKeyring(current: present, former: [lost]))
            #expect(try await fixture.rotation.run().resealed == 1)
            #expect(try await fixture.opened() == 2)
        }
    }
}
