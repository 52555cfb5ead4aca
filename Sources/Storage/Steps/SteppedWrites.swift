import Model
import Synchronization

/// Writes many items in steps, so that other processes can write meanwhile. Each step is a transaction of its own that
/// holds the write lock for about ``StepSize/goal``, and after each step the lock stays free for at least as long.
///
/// Three limits keep a step short. Its size follows the time that earlier steps took (``StepSize``). It ends early when
/// its statements take longer than expected, for example because pages have to be read from the disk. And its rows
/// contain at most ``maximumBytes``: the time that small rows took does not predict how long the commit of large ones
/// takes.
package final class SteppedWrites: Sendable {
    /// The approximate number of pages that writing a small row changes: those of the row and of its index entries.
    private static let pagesOfRow = 8
    /// The most bytes in the rows of one step, unless it is a single row.
    static let maximumBytes = 512 << 10
    /// The number of items that are written before a step checks its time again.
    static let itemsBetweenLooks = 8
    /// The log is checkpointed when it is larger than this, in bytes. Other writers wait for a checkpoint as for a
    /// step: checkpoints of 512 KiB took 4 ms (median) and 20 ms (p90), those of 1 MiB 16 ms and 25 ms.
    private static let logSize: Int64 = 512 << 10
    /// The longest rest, so that a disk that was slow once does not delay the next step much.
    private static let longestRest = Duration.seconds(1)

    private struct State {
        let first: StepSize
        var size: StepSize
        var steps = 0
        var longest = Duration.zero
    }

    private let database: Database
    private let checkpoints: Bool
    private let hasWritten: @Sendable () -> Void
    private let state: Mutex<State>

    /// - Parameters:
    ///   - checkpoints: whether to checkpoint the log, which steps make longer. Only for the gateway; other processes
    ///     rest longer between steps, so that the gateway can keep up.
    ///   - size: the size of the first step, in pages.
    ///   - hasWritten: called after the commit of each step.
    package init(
        _ database: Database, checkpoints: Bool,
        size: StepSize = StepSize(units: pagesOfRow * 8, maximum: pagesOfRow * 500),
        hasWritten: @escaping @Sendable () -> Void = {}
    ) {
        self.database = database
        self.checkpoints = checkpoints
        self.hasWritten = hasWritten
        state = Mutex(State(first: size, size: size))
    }

    /// The number of steps so far, and the longest time that one held the lock.
    package var progress: (steps: Int, longest: Duration) { state.withLock { ($0.steps, $0.longest) } }

    /// Returns to the size of the first step, because the following items are of another kind.
    package func resetSize() { state.withLock { $0.size = $0.first } }

    /// Writes all items, in order.
    ///
    /// - Parameters:
    ///   - bytes: the size of an item's rows.
    ///   - body: writes a few of the items; it is called several times in each step. It may run twice for the same
    ///     items if their transaction was lost.
    /// - Returns: what `body` returned, in order.
    /// - Throws: what `body` throws, ``StorageError``, or `CancellationError` between two steps. Earlier steps remain.
    @discardableResult
    package func write<Item: Sendable, Value: Sendable>(
        _ items: [Item], bytes: (Item) -> Int = { _ in 0 },
        _ body: @escaping @Sendable (_ transaction: WriteTransaction, _ items: ArraySlice<Item>) throws -> Value
    ) async throws -> [Value] {
        var remaining = items[...]
        var values: [Value] = []
        while !remaining.isEmpty {
            let step = nextStep(of: remaining, bytes: bytes)
            let ((written, count), held) = try await database.writeAlone { transaction in
                try Self.write(step, in: transaction, body)
            }
            hasWritten()
            values += written
            remaining = remaining.dropFirst(count)
            let pages = step.prefix(count).reduce(0) { $0 + Self.pages(ofBytes: bytes($1)) }
            state.withLock { state in
                state.size.took(held, for: pages)
                state.steps += 1
                state.longest = max(state.longest, held)
            }
            try await rest(after: held)
        }
        return values
    }

    /// The approximate number of pages that writing an item changes.
    private static func pages(ofBytes bytes: Int) -> Int { pagesOfRow + bytes / 4_096 }

    /// The first of the items that fit into a step; at least one.
    func nextStep<Item>(of items: ArraySlice<Item>, bytes: (Item) -> Int) -> ArraySlice<Item> {
        let maximumPages = state.withLock(\.size.units)
        var (count, pages, total) = (0, 0, 0)
        for item in items {
            let size = bytes(item)
            pages += Self.pages(ofBytes: size)
            total += size
            if count > 0, pages > maximumPages || total > Self.maximumBytes { break }
            count += 1
        }
        return items.prefix(count)
    }

    /// Writes items until all are written or the time of the step is over.
    ///
    /// - Returns: what `body` returned, and how many items were written; at least one.
    private static func write<Item, Value>(
        _ items: ArraySlice<Item>, in transaction: WriteTransaction,
        _ body: (_ transaction: WriteTransaction, _ items: ArraySlice<Item>) throws -> Value
    ) throws -> (values: [Value], count: Int) {
        let began = MonotonicInstant.now()
        var remaining = items
        var values: [Value] = []
        repeat {
            let part = remaining.prefix(itemsBetweenLooks)
            values.append(try body(transaction, part))
            remaining = remaining.dropFirst(part.count)
        } while !remaining.isEmpty && began.duration(to: .now()) < StepSize.goal
        return (values, items.count - remaining.count)
    }

    /// Leaves the lock to others after a step, and checkpoints the log if that is due.
    private func rest(after held: Duration) async throws {
        guard checkpoints else {
            // Steps that take a tenth of the time let the gateway's checkpoints keep up.
            return try await Task.sleep(for: min(held * 9, Self.longestRest))
        }
        // The rest is as long as the step, so that others get half of the time.
        try await Task.sleep(for: min(held, Self.longestRest))
        guard database.logSize > Self.logSize else { return }
        // The writes of other processes are also in the log.
        try await database.checkpoint(truncates: true)
    }
}
