import Model
import Storage
import TestSupport
import Testing

@Suite("Writes in steps")
struct SteppedWritesTests {
    @Test("grow to the double at most and shrink at once, by what a step took")
    func sizes() {
        var size = StepSize(units: 8, maximum: 1_000)
        size.took(.microseconds(10), for: 8)
        #expect(size.units == 16)
        size.took(.milliseconds(8), for: 16)
        #expect(size.units == 20)
        size.took(.milliseconds(10), for: 20)
        #expect(size.units == 20)
        size.took(.milliseconds(40), for: 20)
        #expect(size.units == 5)
        // The end of a list was short and quick.
        size.took(.microseconds(10), for: 1)
        #expect(size.units == 5)
        // One thing that is more than a step.
        size.took(.milliseconds(100), for: 400)
        #expect(size.units == 40)
        size.took(.seconds(10), for: 40)
        #expect(size.units == 1)
        for _ in 0..<20 { size.took(.zero, for: size.units) }
        #expect(size.units == 1_000)
    }

    @Test("take on as many as cost no more than a step, in their order, and one that costs more by itself")
    func units() async throws {
        try await withDatabase { database, _ in
            let writes = SteppedWrites(database, log: .moves, size: StepSize(units: 16, maximum: 16))
            let before = database.writeStatistics.snapshot.batches
            // 10 s of work in a step would make the next smaller; these take no time.
            let steps = try await writes.write([8, 8, 8, 100, 1, 1, 15, 16], units: { $0 }) { transaction, items in
                _ = try transaction.nextChange()
                return Array(items)
            }
            #expect(steps.flatMap { $0 } == [8, 8, 8, 100, 1, 1, 15, 16])
            #expect(steps.allSatisfy { $0.count == 1 || $0.reduce(0, +) <= 16 })
            #expect(steps.contains([100]))
            #expect(writes.progress.steps == steps.count && writes.progress.longest > .zero)
            #expect(database.writeStatistics.snapshot.batches == before + steps.count)
        }
    }

    @Test("are transactions of their own, whatever waits beside them")
    func alone() async throws {
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
            // Its own, and at least one with the others.
            #expect(after.batches - before.batches >= 2)
        }
    }

    @Test("keep what was done when one fails, and undo that one whole")
    func failure() async throws {
        struct Refused: Error {}
        try await withDatabase { database, _ in
            try await database.write { try $0.execute("CREATE TABLE done (number BIGINT)") }
            let writes = SteppedWrites(database, log: .moves, size: StepSize(units: 16, maximum: 16))
            await #expect(throws: Refused.self) {
                try await writes.write(Array(0..<6), units: { _ in 8 }) { transaction, items in
                    for item in items {
                        try transaction.execute("INSERT INTO done (number) VALUES (\(item))")
                        if item == 3 { throw Refused() }
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
