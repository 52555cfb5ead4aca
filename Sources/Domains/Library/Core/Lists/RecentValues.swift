/// A cache of the most recently used values.
struct RecentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let capacity: Int
    private var entries: [Key: (value: Value, lastUse: Int)] = [:]
    private var uses = 0

    /// - Parameter capacity: the maximum number of values; at least 1.
    init(capacity: Int) { self.capacity = capacity }

    subscript(key: Key) -> Value? {
        mutating get {
            uses += 1
            entries[key]?.lastUse = uses
            return entries[key]?.value
        }
        set {
            uses += 1
            entries[key] = newValue.map { ($0, uses) }
            guard entries.count > capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) else {
                return
            }
            entries[oldest.key] = nil
        }
    }
}
