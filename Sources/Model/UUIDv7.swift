import Foundation
import Synchronization

/// Time-ordered identifiers (RFC 9562, version 7): 48 bits of Unix milliseconds, then a
/// counter and random bits, as 36 lower-case characters.
///
/// The ids of one process sort by their time of creation, so that rows with such keys are appended to a table instead
/// of scattered through it.
package enum UUIDv7 {
    private struct State {
        var millisecond: UInt64 = 0
        var counter: UInt64 = 0
        /// Random bytes for many ids: a system call for each id took longer than the rest.
        var randomness: [UInt64] = []

        mutating func nextRandom() -> UInt64 {
            if randomness.isEmpty {
                var bytes = [UInt64](repeating: 0, count: 32)
                let isDrawn = bytes.withUnsafeMutableBytes { getentropy($0.baseAddress, $0.count) == 0 }
                // The call fails only on kernels without it. Then the generator stops the process with a message.
                randomness = isDrawn ? bytes : [UInt64.random(in: 0...UInt64.max)]
            }
            return randomness.removeLast()
        }
    }
    private static let state = Mutex(State())

    /// The most milliseconds by which ids may be ahead of the clock, so that small corrections of it change no order.
    private static let clockTolerance: UInt64 = 60_000

    /// A new id.
    package static func next() -> String {
        let now = UInt64(Timestamp.now().microseconds / 1_000)
        let (millisecond, counter, random) = state.withLock { state in
            // After a clock that was ahead has been corrected, follow it again: otherwise, ids from the future would be
            // the newest in their tables for as long.
            if now > state.millisecond || state.millisecond - now > clockTolerance {
                state.millisecond = now
                // Starts in the lower half, so that the counter has room for a burst within the millisecond.
                state.counter = state.nextRandom() & ((1 << 25) - 1)
            } else {
                state.counter += 1
                if state.counter >= 1 << 26 {
                    state.millisecond += 1
                    state.counter = 0
                }
            }
            return (state.millisecond, state.counter, state.nextRandom())
        }
        // 12 + 14 bits of counter around the version and variant bits, then 48 random bits.
        let high = (millisecond << 16) | 0x7000 | (counter >> 14)
        let low = (UInt64(2) << 62) | ((counter & 0x3fff) << 48) | (random & ((1 << 48) - 1))
        return text(high, low)
    }

    /// An id that sorts before all ids of `moment` or later, and after those of earlier milliseconds.
    package static func lowerBound(of moment: Timestamp) -> String {
        text(UInt64(max(0, moment.microseconds / 1_000)) << 16, 0)
    }

    private static let digits = Array("0123456789abcdef".utf8)

    /// The text of a UUID of two words.
    package static func text(_ high: UInt64, _ low: UInt64) -> String {
        String(unsafeUninitializedCapacity: 36) { buffer in
            var position = 0
            for nibble in 0..<32 {
                if nibble == 8 || nibble == 12 || nibble == 16 || nibble == 20 {
                    buffer[position] = UInt8(ascii: "-")
                    position += 1
                }
                let word = nibble < 16 ? high : low
                buffer[position] = digits[Int((word >> UInt64(60 - 4 * (nibble % 16))) & 0xf)]
                position += 1
            }
            return position
        }
    }

    /// Whether `text` has the shape of an id: 36 lower-case characters, hyphens in place.
    package static func isWellFormed(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 36 else { return false }
        return bytes.indices.allSatisfy { index in
            [8, 13, 18, 23].contains(index) ? bytes[index] == UInt8(ascii: "-") : digits.contains(bytes[index])
        }
    }
}
