import Foundation
import Model
import TestSupport
import Testing

@testable import Storage

@Suite("Writes in steps")
struct SteppedWritesTests {
    @Test("Steps at most double and shrink at once, by the time of the last step")
    func sizesOfSteps() {
        var size = StepSize(units: 8, maximum: 1_000)
        size.took(.microseconds(10), for: 8)
        #expect(size.units == 16)
        size.took(.milliseconds(8), for: 16)
        #expect(size.units == 20)
        size.took(.milliseconds(10), for: 20)
        #expect(size.units == 20)
        size.took(.milliseconds(40), for: 20)
        #expect(size.units == 5)
        // This is a short last step.
        size.took(.microseconds(10), for: 1)
        #expect(size.units == 5)
        // This item is larger than a step.
        size.took(.milliseconds(100), for: 400)
        #expect(size.units == 40)
        size.took(.seconds(10), for: 40)
        #expect(size.units == 1)
        for _ in 0..<20 { size.took(.zero, for: size.units) }
        #expect(size.units == 1_000)
    }

    @Test("Steps include the items that fit, in order, or a single larger item")
    func itemsOfAStep() async throws {
        try await withDatabase { database, _ in
            let writes = SteppedWrites(database, checkpoints: true, size: StepSize(units: 16, maximum: 16))
            let before = database.writeStatistics.snapshot.batches
            // A slow step makes the next one smaller, never larger than 16. The pages of each item, in addition to the
            // eight of every row.
            let items = [0, 0, 0, 100, 0, 0, 7, 8]
            let steps = try await writes.write(items, bytes: { $0 * 4_096 }) { transaction, items in
                _ = try transaction.nextChange()
                return Array(items)
            }
            #expect(steps.flatMap { $0 } == items)
            #expect(steps.allSatisfy { $0.count == 1 || $0.reduce(0) { $0 + $1 + 8 } <= 16 })
            #expect(steps.contains([100]))
            #expect(writes.progress.steps == steps.count && writes.progress.longest > .zero)
            #expect(database.writeStatistics.snapshot.batches == before + steps.count)
        }
    }

    @Test("Steps write at most 512 KiB of rows, or one larger row, however short earlier steps were")
    func bytesOfAStep() async throws {
        try await withDatabase { database, _ in
            let writes = SteppedWrites(database, checkpoints: true, size: StepSize(units: 4_000, maximum: 4_000))
            var items = [400, 400, 100, 100, 5_000, 10, 10].map { $0 << 10 }[...]
            var steps: [Int] = []
            while !items.isEmpty {
                let step = writes.nextStep(of: items) { $0 }
                steps.append(step.reduce(0, +) >> 10)
                items = items.dropFirst(step.count)
            }
            #expect(steps == [400, 500, 100, 5_000, 20])
        }
    }

    @Test("Steps end when their time is over, and continue with the next item")
    func timeOfAStep() async throws {
        try await withDatabase { database, _ in
            let writes = SteppedWrites(database, checkpoints: true, size: StepSize(units: 4_000, maximum: 4_000))
            let items = Array(0..<(3 * SteppedWrites.itemsBetweenLooks + 1))
            let written = try await writes.write(items) { _, items in
                usleep(UInt32(StepSize.goal.microseconds))
                return Array(items)
            }
            #expect(written.flatMap { $0 } == items)
            #expect(writes.progress.steps >= 4)
        }
    }

    @Test(
        "Writes rest after each step: a cancelled task ends there, and its last step is kept", arguments: [true, false])
    func cancelledTask(checkpoints: Bool) async throws {
        try await withDatabase { database, _ in
            let writes = SteppedWrites(database, checkpoints: checkpoints, size: StepSize(units: 16, maximum: 16))
            await #expect(throws: CancellationError.self) {
                try await withCancelledTask {
                    try await writes.write(Array(0..<20)) { transaction, items in
                        for _ in items { _ = try transaction.nextChange() }
                    }
                }
            }
            #expect(writes.progress.steps == 1)
            let written = try await database.write { try $0.nextChange() } - 1
            #expect((1...2).contains(written))
        }
    }

    @Test("Steps are transactions of their own, whatever else waits")
    func ownTransactions() async throws {
        try await withDatabase { database, _ in
            let (held, gate) = (Collector<Void>(), Gate())
            let holder = Task {
                try await database.write { _ in
                    held.append(())
                    gate.wait()
                }
            }
            await held.wait(for: 1)
            let before = database.writeStatistics.snapshot
            async let first = database.write { try $0.nextChange() }
            async let single = database.writeAlone { try $0.nextChange() }
            async let last = database.write { try $0.nextChange() }
            gate.open()
            try await holder.value
            let numbers = try await [first, single.value, last]
            #expect(Set(numbers) == [1, 2, 3])
            let after = database.writeStatistics.snapshot
            #expect(after.entries - before.entries == 4)
            // The step has a batch of its own, and the other writes have at least one.
            #expect(after.batches - before.batches >= 2)
        }
    }

    @Test("A step that fails is rolled back, and earlier steps are kept")
    func failedStep() async throws {
        struct RefusalError: Error {}
        try await withDatabase { database, _ in
            try await database.write { try $0.run("CREATE TABLE done (number BIGINT)") }
            let writes = SteppedWrites(database, checkpoints: true, size: StepSize(units: 16, maximum: 16))
            await #expect(throws: RefusalError.self) {
                try await writes.write(Array(0..<6)) { transaction, items in
                    for item in items {
                        try transaction.run("INSERT INTO done (number) VALUES (\(item))")
                        if item == 3 { throw RefusalError() }
                    }
                }
            }
            let done: [Int] = try await database.read {
                try $0.rows("SELECT number FROM done ORDER BY number").map { try $0["number"] }
            }
            #expect(done == [0, 1] || done == [0, 1, 2])
            #expect(try await database.write { try $0.nextChange() } == 1)
        }
    }
}
