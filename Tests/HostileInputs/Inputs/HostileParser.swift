/// A reader of what comes from outside, with what it may take for an input.
package struct HostileParser: Sendable {
    /// As `scripts/fuzz` calls it.
    package let name: String
    /// The most memory that it documents, in MiB, whatever its input.
    package let mostMemory: Int
    /// Inputs that it reads, made by code: what a fuzzer begins with.
    package let seeds: [[UInt8]]
    /// Reads an input. A refusal is as good as a result; what may not happen is that the process ends, or that the time
    /// grows faster than the input.
    package let run: @Sendable ([UInt8]) -> Void

    init(_ name: String, mostMemory: Int, seeds: [String], run: @escaping @Sendable ([UInt8]) -> Void) {
        self.init(name, mostMemory: mostMemory, seeds: seeds.map { Array($0.utf8) }, run: run)
    }

    init(_ name: String, mostMemory: Int, seeds: [[UInt8]], run: @escaping @Sendable ([UInt8]) -> Void) {
        (self.name, self.mostMemory, self.seeds, self.run) = (name, mostMemory, seeds, run)
    }

    package static let all: [HostileParser] = files + requests + messages

    package static func named(_ name: String) -> HostileParser? { all.first { $0.name == name } }
}
