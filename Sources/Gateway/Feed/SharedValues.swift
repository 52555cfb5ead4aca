import Synchronization

/// Values that are the same for everybody and never change, such as the JSON of a shared song: made once, rather than
/// for each reader of each feed that shows them. Who may see what is not decided here: whoever asks has decided it.
///
/// It holds a bounded number of bytes. Of two generations, the one that was not used longest is forgotten as a whole.
package final class SharedValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct State {
        var young: [Key: Value] = [:]
        var old: [Key: Value] = [:]
        /// Of the young generation.
        var bytes = 0
        var made = 0
    }

    private let state = Mutex(State())
    private let maximumBytes: Int
    private let size: @Sendable (Value) -> Int

    /// - Parameters:
    ///   - maximumBytes: the most bytes of all values.
    ///   - size: the approximate size of a value in bytes.
    package init(maximumBytes: Int, size: @escaping @Sendable (Value) -> Int) {
        (self.maximumBytes, self.size) = (maximumBytes, size)
    }

    /// How many values were made.
    package var made: Int { state.withLock(\.made) }

    /// The values of keys. Those that are not known are made by `make`, which gets their keys; what it leaves out stays
    /// unknown. Two readers at the same moment may make the same value.
    package func values(
        of keys: some Sequence<Key>, make: (_ unknown: [Key]) throws -> [Key: Value]
    ) rethrows -> [Key: Value] {
        var (values, unknown): ([Key: Value], [Key]) = ([:], [])
        state.withLock { state in
            for key in Set(keys) {
                if let value = state.young[key] {
                    values[key] = value
                } else if let value = state.old[key] {
                    values[key] = value
                    keep(value, of: key, in: &state)
                } else {
                    unknown.append(key)
                }
            }
        }
        guard !unknown.isEmpty else { return values }
        let made = try make(unknown)
        state.withLock { state in
            state.made += made.count
            for (key, value) in made { keep(value, of: key, in: &state) }
        }
        return values.merging(made) { $1 }
    }

    private func keep(_ value: Value, of key: Key, in state: inout State) {
        guard state.young.updateValue(value, forKey: key) == nil else { return }
        state.bytes += size(value)
        guard state.bytes > maximumBytes / 2 else { return }
        (state.old, state.young, state.bytes) = (state.young, [:], 0)
    }
}
