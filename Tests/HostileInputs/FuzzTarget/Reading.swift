import HostileInputs
import Synchronization
import TestSupport

/// Reads inputs, and compares the time and memory with the budgets of a parser.
enum Reading {
    /// The time of all short inputs and that of all long ones, in nanoseconds.
    private static let shortTime = Atomic(0)
    private static let longTime = Atomic(0)

    /// Long inputs take a fifth of the time, since they are few.
    static var isLongDue: Bool { longTime.load(ordering: .relaxed) * 4 <= shortTime.load(ordering: .relaxed) }

    /// - Returns: a description of what exceeded a budget; `nil` if nothing did.
    static func excess(of parser: HostileParser, _ input: [UInt8], isLong: Bool = false) -> String? {
        let start = ProcessorTime.used()
        var share = 0.0
        let memory = MemoryUsage.taken { share = ProcessorBudget.share(of: parser, input) }
        let time = Int((ProcessorTime.used() - start) / .nanoseconds(1))
        if isLong {
            longTime.wrappingAdd(time, ordering: .relaxed)
        } else {
            shortTime.wrappingAdd(time, ordering: .relaxed)
        }
        if share > 1 { return "\(share) times their budget of processor time" }
        guard let memory, memory > parser.mostMemory << 20 else { return nil }
        return "\(memory >> 20) MiB of their budget of \(parser.mostMemory) MiB"
    }
}
