import Model
import Synchronization
import TestSupport
import Testing

@testable import Storage

@Suite("The clock for pruning")
struct PruningClockTests {
    /// Clocks that a test sets.
    private final class Clocks: Sendable {
        private struct State {
            var wall = noon
            var machine = MonotonicInstant(microseconds: 1_000_000)
        }

        private let state = Mutex(State())
        let changes = Collector<ClockGuard.Change>()

        var wall: Timestamp { state.withLock(\.wall) }

        func pruningClock(_ database: Database) -> PruningClock {
            PruningClock(
                database: database, now: { self.wall }, instant: { self.state.withLock(\.machine) },
                onChange: { self.changes.append($0) })
        }

        func set(_ time: Timestamp) { state.withLock { $0.wall = time } }

        func restartMachine() { state.withLock { $0.machine = MonotonicInstant(microseconds: 0) } }

        func pass(_ duration: Duration) {
            state.withLock {
                $0.wall = $0.wall + duration
                $0.machine = $0.machine.advanced(by: duration)
            }
        }
    }

    private func stored(_ database: Database) async throws -> Timestamp? {
        try await database.read { try $0.newestMoment() }
    }

    @Test("Only moments of a trusted clock are stored")
    func storedMoments() async throws {
        try await withDatabase { database, _ in
            let clocks = Clocks()
            var pruningClock = clocks.pruningClock(database)
            let first = try await stored(database)
            #expect(first == nil)
            #expect(try await pruningClock.time() == .unguarded(noon))
            #expect(try await stored(database) == noon)
            clocks.pass(.seconds(3_599))
            #expect(try await pruningClock.time() != nil)
            #expect(try await stored(database) == noon)
            clocks.pass(.seconds(1))
            #expect(try await pruningClock.time() != nil)
            let last = noon + .seconds(3_600)
            #expect(try await stored(database) == last)

            // The machine restarts with a clock that is years ahead.
            clocks.set(last + .seconds(86_400 * 4_000))
            clocks.restartMachine()
            pruningClock = clocks.pruningClock(database)
            #expect(try await pruningClock.time() == nil)
            #expect(try await stored(database) == last)
            #expect(clocks.changes.elements == [.doubted(ahead: .seconds(86_400 * 4_000))])
            clocks.pass(.seconds(3_600))
            #expect(try await pruningClock.time() != nil)
            #expect(try await stored(database) == clocks.wall)
            // The clock is corrected.
            clocks.set(last + .seconds(86_400))
            #expect(try await pruningClock.time() == .unguarded(last + .seconds(86_400)))
            #expect(try await stored(database) == last + .seconds(86_400))
            #expect(try await database.read { try $0.rows("SELECT moment FROM newest_moment").count } == 1)
            #expect(clocks.changes.elements.count == 2)
        }
    }

    @Test("Simultaneous callers get one answer")
    func simultaneousCallers() async throws {
        try await withDatabase { database, _ in
            try await database.write { try $0.setNewestMoment(noon + .seconds(-86_400 * 9)) }
            let clocks = Clocks()
            let pruningClock = clocks.pruningClock(database)
            let answers = try await withThrowingTaskGroup(of: PruningTime?.self) { group in
                for _ in 0..<20 { group.addTask { try await pruningClock.time() } }
                return try await group.reduce(into: [PruningTime?]()) { $0.append($1) }
            }
            #expect(answers.allSatisfy { $0 == nil })
            #expect(clocks.changes.elements.count == 1)
        }
    }
}
