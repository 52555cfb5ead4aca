import Model
import Storage
import Testing

@testable import Vault

@Suite("Seals of earlier releases", .timeLimit(.minutes(5)))
struct FormerSealTests {
    @Test("Former seals can be opened, and are resealed in batches for the same key, or by a rotation for the next key")
    func resealing() async throws {
        try await RotationBench.run { bench in
            let count = Database.resealBatch + 20
            let key = try bench.file.read().current
            try await bench.putFormer(count)
            #expect(try await bench.opened() == count)
            #expect(try await bench.keyIDsInUse() == [key.formerID])
            #expect(try await bench.open(3) == bench.secret(3))
            // While only some are resealed, both forms open, and the next call continues.
            try await bench.put(7)
            #expect(try await bench.opened() == count)
            #expect(try await bench.keyIDsInUse() == Set(key.ids))
            #expect(try await bench.database.resealFormer(with: bench.file.read()).resealed == count - 7)
            #expect(try await bench.keyIDsInUse() == [key.id])
            #expect(try await bench.opened() == count)
            #expect(try await bench.database.resealFormer(with: bench.file.read()) == ResealCounts())
            // Without a rotation, secrets are resealed for their own key and not for the current one.
            try await bench.putFormer(5)
            let made = try await bench.rotation.begin(publishing: true)
            #expect(try await bench.database.resealFormer(with: made) == ResealCounts(resealed: 5))
            #expect(try await bench.keyIDsInUse() == [key.id])
            try await bench.putFormer(2, with: key)
            #expect(try await bench.rotation.run().dropped == [key.id])
            #expect(try await bench.keyIDsInUse() == [made.current.id])
            #expect(try await bench.opened() == count)
            // A rotation also reseals former seals of the current key.
            try await bench.putFormer(4)
            #expect(try await bench.rotation.run().resealed == count)
            #expect(try await bench.opened() == count)
        }
    }

    @Test("Cancelling the task ends resealing between two transactions")
    func cancelled() async throws {
        try await RotationBench.run { bench in
            try await bench.putFormer(4)
            let key = try bench.file.read().current
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await bench.database.resealFormer(with: VaultKeyring(current: key))
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await bench.keyIDsInUse() == [key.formerID])
        }
    }

    @Test("Secrets that cannot be opened are counted, and the others are resealed")
    func damaged() async throws {
        try await RotationBench.run { bench in
            try await bench.putFormer(4)
            try await bench.damage(2)
            let keyring = try bench.file.read()
            #expect(try await bench.database.resealFormer(with: keyring) == ResealCounts(resealed: 3, damaged: 1))
            let strange = VaultKeyring(current: .random())
            #expect(try await bench.database.resealFormer(with: strange) == ResealCounts())
            #expect(try await bench.opened() == 3)
        }
    }
}
