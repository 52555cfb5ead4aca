import Model
import Storage
import Testing

@testable import Vault

@Suite("What releases before sealed", .timeLimit(.minutes(5)))
struct FormerSealTests {
    @Test("It opens, is sealed anew for the same key in batches, and by a rotation for the next")
    func resealing() async throws {
        try await RotationBench.run { bench in
            let count = Database.resealBatch + 20
            let key = try bench.file.read().current
            try await bench.putFormer(count)
            #expect(try await bench.opened() == count)
            #expect(try await bench.keyIDsInUse() == [key.formerID])
            #expect(try await bench.open(3) == bench.secret(3))
            // Stopped in the middle, both forms open, and the next time goes on.
            try await bench.put(7)
            #expect(try await bench.opened() == count)
            #expect(try await bench.keyIDsInUse() == Set(key.ids))
            #expect(try await bench.database.resealFormer(with: bench.file.read()).resealed == count - 7)
            #expect(try await bench.keyIDsInUse() == [key.id])
            #expect(try await bench.opened() == count)
            #expect(try await bench.database.resealFormer(with: bench.file.read()) == ResealCounts())
            // What is sealed for another key than the present one is a rotation's, not a start's.
            try await bench.putFormer(5)
            let made = try await bench.rotation.begin(publishing: true)
            #expect(try await bench.database.resealFormer(with: made) == ResealCounts(resealed: 5))
            #expect(try await bench.keyIDsInUse() == [key.id])
            try await bench.putFormer(2, with: key)
            #expect(try await bench.rotation.run().dropped == [key.id])
            #expect(try await bench.keyIDsInUse() == [made.current.id])
            #expect(try await bench.opened() == count)
            // Also of the present key.
            try await bench.putFormer(4)
            #expect(try await bench.rotation.run().resealed == count)
            #expect(try await bench.opened() == count)
        }
    }

    @Test("What does not open is counted, and keeps nothing from the others")
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
