import Foundation

/// The seeds of random tests. Ordinary runs have the same seeds each time; `BACKLINE_TEST_FUZZ_SEEDS=N` adds N random
/// seeds to every test. The name of a failing test case contains its seed.
package enum Fuzzing {
    /// How many rounds a test of random values makes.
    ///
    /// - Parameters:
    ///   - count: the number in an ordinary run.
    ///   - long: the number with `BACKLINE_LONG_TESTS=1`.
    package static func rounds(_ count: Int, long: Int) -> Int {
        ProcessInfo.processInfo.environment["BACKLINE_LONG_TESTS"] == "1" ? long : count
    }

    /// The seeds of a test.
    ///
    /// - Parameter count: the number of seeds in an ordinary run.
    package static func seeds(_ count: UInt64 = 2) -> [UInt64] {
        let wanted = ProcessInfo.processInfo.environment["BACKLINE_TEST_FUZZ_SEEDS"].flatMap { Int($0) } ?? 0
        return Array(0..<count) + (0..<max(wanted, 0)).map { _ in UInt64.random(in: count...UInt64(UInt32.max)) }
    }
}

extension SeededRandom {
    private static let longText = String(repeating: "é", count: 70_000)

    private static func deepList() -> Any { (0..<100).reduce("x" as Any) { inner, _ in [inner] } }

    /// A copy with up to four bytes or ranges changed, removed, duplicated, inserted or cut off.
    package mutating func damaged(_ original: [UInt8]) -> [UInt8] {
        var bytes = original
        for _ in 0..<Int.random(in: 1...4, using: &self) {
            guard let place = bytes.indices.randomElement(using: &self) else {
                return [UInt8(truncatingIfNeeded: next())]
            }
            let end = Int.random(in: place...min(place + 16, bytes.count), using: &self)
            switch Int.random(in: 0...7, using: &self) {
            case 0: bytes[place] = UInt8(truncatingIfNeeded: next())
            case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &self)
            case 2: bytes.removeSubrange(place..<end)
            case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 4: bytes.insert(UInt8(truncatingIfNeeded: next()), at: place)
            // Such bytes change lengths and signs, which readers often handle wrongly.
            case 5: for index in place..<min(place + 4, bytes.count) { bytes[index] = 0xFF }
            case 6: for index in place..<min(place + 4, bytes.count) { bytes[index] = 0 }
            default: bytes.removeSubrange(place...)
            }
        }
        return bytes
    }

    /// A copy of a value from `JSONSerialization`, with one value in it removed, duplicated or replaced.
    package mutating func damaged(json value: Any) -> Any {
        if let object = value as? [String: Any], let key = object.keys.sorted().randomElement(using: &self),
            Int.random(in: 0...9, using: &self) > 0
        {
            var copy = object
            switch Int.random(in: 0...9, using: &self) {
            case 0: copy[key] = nil
            case 1: copy[text(upTo: 8)] = object[key]
            default: copy[key] = damaged(json: object[key] ?? NSNull())
            }
            return copy
        }
        if let array = value as? [Any], !array.isEmpty, Int.random(in: 0...9, using: &self) > 0 {
            var copy = array
            let place = Int.random(in: array.indices, using: &self)
            switch Int.random(in: 0...9, using: &self) {
            case 0: copy.remove(at: place)
            case 1: copy.insert(array[place], at: place)
            default: copy[place] = damaged(json: array[place])
            }
            return copy
        }
        let others: [Any] = [
            NSNull(), true, -1, 0, Int.max, 1e300, -0.5, "", text(upTo: 30), Self.longText, [],
            [:] as [String: Any], [value], ["id": value], "2026-02-30", "9999-12-31T23:59:60Z", "25:61:00", "\u{0}",
            "https://", "javascript://x.example/%0aalert(1)", "http://user@x.example:80/",
            Self.deepList(),
        ]
        return others.randomElement(using: &self) ?? NSNull()
    }
}
