/// The progress of a run, as its handler reports it. It is small, since each report is a message.
package struct JobProgress: Sendable, Equatable {
    /// The most bytes of the phase and of each count's name.
    package static let maximumNameBytes = 32
    package static let maximumCounts = 8

    /// The name of the phase, a short word in camelCase; `nil` for jobs with a single phase.
    package let phase: String?
    /// How much of `total` is done in this phase.
    package let done: Int32
    /// 0 while the total is unknown.
    package let total: Int32
    /// Numbers by name, over all phases: `["tracks": 120]`.
    package let counts: [String: Int64]

    /// Names that are too long or not in camelCase are left out, as are the last counts (by name) beyond
    /// ``maximumCounts``: a bad report must not fail a run.
    package init(phase: String? = nil, done: Int, total: Int, counts: [String: Int] = [:]) {
        self.phase = phase.flatMap { Self.isName($0) ? $0 : nil }
        self.done = Int32(clamping: done)
        self.total = Int32(clamping: total)
        let named = counts.filter { Self.isName($0.key) }.sorted { $0.key < $1.key }.prefix(Self.maximumCounts)
        self.counts = Dictionary(uniqueKeysWithValues: named.map { ($0.key, Int64($0.value)) })
    }

    init(phase: String?, done: Int32, total: Int32, counts: [String: Int64]) {
        self.phase = phase
        self.done = done
        self.total = total
        self.counts = counts
    }

    /// The counts in the order of their names.
    package var sortedCounts: [(name: String, value: Int64)] {
        counts.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    }

    static func isName(_ text: String) -> Bool {
        guard (1...maximumNameBytes).contains(text.utf8.count), let first = text.utf8.first else { return false }
        func isLowercase(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
        return isLowercase(first)
            && text.utf8.allSatisfy {
                isLowercase($0) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            }
    }
}
