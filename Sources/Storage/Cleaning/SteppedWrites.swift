import Model
import Synchronization

/// Writes many things in steps, each in a transaction of its own that holds the write lock for a moment
/// (``StepSize``), and rests between them, so that others hardly notice.
package final class SteppedWrites: Sendable {
    /// What a process does about the log, which steps make longer.
    package enum Log: Sendable {
        /// Moves it into the database when it is large: the gateway's.
        case moves
        /// Leaves it to the gateway, and rests for longer, so that it can.
        case leaves
    }

    /// The units of a thing: as many pages as it and its entries in indexes touch, about, and one for each page that
    /// its bytes fill.
    package static func units(ofBytes bytes: Int) -> Int { pagesOfRow + bytes / 4_096 }
    private static let pagesOfRow = 8
    /// The log is moved when it is larger than this, since others wait for that as well: a quarter of what the
    /// gateway's upkeep lets it grow to.
    private static let logSize: Int64 = 1 << 20

    private struct State {
        let first: StepSize
        var size: StepSize
        var steps = 0
        var longest = Duration.zero
    }

    private let database: Database
    private let log: Log
    private let state: Mutex<State>

    /// - Parameter size: of the first step.
    package init(
        _ database: Database, log: Log, size: StepSize = StepSize(units: pagesOfRow * 8, maximum: pagesOfRow * 500)
    ) {
        self.database = database
        self.log = log
        state = Mutex(State(first: size, size: size))
    }

    /// How many steps there were, and for how long the longest held the lock.
    package var progress: (steps: Int, longest: Duration) { state.withLock { ($0.steps, $0.longest) } }

    /// Begins anew with small steps, because what comes next is of another sort.
    package func startAnew() { state.withLock { $0.size = $0.first } }

    /// Writes all items, in order.
    ///
    /// - Parameters:
    ///   - units: what an item costs. One that costs more than a step goes alone.
    ///   - body: writes some of them; it may run twice, when its transaction was lost.
    /// - Returns: what `body` returned for each step.
    /// - Throws: what `body` throws, ``StorageError``, or `CancellationError` between two steps.
    @discardableResult
    package func write<Item: Sendable, Value: Sendable>(
        _ items: [Item], units: (Item) -> Int = { _ in pagesOfRow },
        _ body: @escaping @Sendable (_ transaction: WriteTransaction, _ items: ArraySlice<Item>) throws -> Value
    ) async throws -> [Value] {
        var rest = items[...]
        var values: [Value] = []
        while let first = rest.first {
            let size = state.withLock(\.size.units)
            var (count, taken) = (1, units(first))
            while count < rest.count, case let next = units(rest[rest.startIndex + count]), taken + next <= size {
                (count, taken) = (count + 1, taken + next)
            }
            let part = rest.prefix(count)
            rest = rest.dropFirst(count)
            let (value, held) = try await database.writeAlone { try body($0, part) }
            values.append(value)
            state.withLock { [taken] state in
                state.size.took(held, for: taken)
                state.steps += 1
                state.longest = max(state.longest, held)
            }
            try await pause(after: held)
        }
        return values
    }

    private func pause(after held: Duration) async throws {
        switch log {
        case .moves:
            // Whoever else wrote meanwhile is in it, too.
            var held = held
            if database.logSize > Self.logSize {
                let began = MonotonicInstant.now()
                try await database.checkpoint(truncates: true)
                held += began.duration(to: .now())
            }
            try await Task.sleep(for: held)
        case .leaves:
            try await Task.sleep(for: held * 9)
        }
    }
}
