import Synchronization

/// A reader of outside data, with the time and memory that it may use for an input.
package struct HostileParser: Sendable {
    /// The name by which `scripts/fuzz` refers to it.
    package let name: String
    /// The most memory that it may use according to its documentation, in MiB, whatever its input.
    package let mostMemory: Int
    /// The longest input that is tried. Some readers never get a longer one from their callers.
    package let mostBytes: Int
    /// Valid inputs, made by code, with which a fuzzer begins.
    package let seeds: [[UInt8]]
    /// Reads an input. A refusal is as good as a result; but the process must not crash, and the time must not grow
    /// faster than the input.
    package let run: @Sendable ([UInt8]) -> Void

    init(
        _ name: String, mostMemory: Int, mostBytes: Int = 4 << 20, seeds: [String],
        run: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.init(name, mostMemory: mostMemory, mostBytes: mostBytes, seeds: seeds.map { Array($0.utf8) }, run: run)
    }

    init(
        _ name: String, mostMemory: Int, mostBytes: Int = 4 << 20, seeds: [[UInt8]],
        run: @escaping @Sendable ([UInt8]) -> Void
    ) {
        (self.name, self.mostMemory, self.mostBytes) = (name, mostMemory, mostBytes)
        (self.seeds, self.run) = (seeds, run)
    }

    package static let all: [HostileParser] = files + requests + messages + services + pushes

    package static func named(_ name: String) -> HostileParser? { all.first { $0.name == name } }

    /// Ends the process unless an operation that never waits has ended when this returns.
    static func finish(_ what: String, _ operation: @escaping @Sendable () async -> Void) {
        let isFinished = Atomic(false)
        Task.immediate {
            await operation()
            isFinished.store(true, ordering: .relaxed)
        }
        precondition(isFinished.load(ordering: .relaxed), "\(what) had to wait")
    }
}
