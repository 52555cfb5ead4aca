import Testing

@testable import Gateway

@Suite("Values that are the same for everybody")
struct SharedValuesTests {
    private static func make(_ keys: [Int]) -> [Int: [UInt8]] {
        Dictionary(uniqueKeysWithValues: keys.map { ($0, Array(repeating: UInt8($0 % 256), count: 10)) })
    }

    @Test("A value is made once, and what cannot be made is asked for again")
    func once() throws {
        let values = SharedValues<Int, [UInt8]>(maximumBytes: 1_000) { $0.count }
        var asked: [[Int]] = []
        for _ in 0..<3 {
            let found = values.values(of: [1, 2, 99]) { unknown in
                asked.append(unknown.sorted())
                return Self.make(unknown.filter { $0 < 99 })
            }
            #expect(found == Self.make([1, 2]))
        }
        #expect(asked == [[1, 2, 99], [99], [99]] && values.made == 2)
        struct Broken: Error {}
        #expect(throws: Broken.self) { try values.values(of: [1, 3]) { _ in throw Broken() } }
        #expect(values.values(of: [1]) { _ in [:] } == Self.make([1]))
    }

    @Test("It holds a bounded number of bytes, and keeps what is used")
    func bound() {
        let values = SharedValues<Int, [UInt8]>(maximumBytes: 1_000) { $0.count }
        for key in 0..<10_000 {
            // The first one is used all the time.
            #expect(values.values(of: [0, key], make: Self.make).count == (key == 0 ? 1 : 2))
        }
        #expect(values.made == 10_000)
        var kept = 0
        for key in 0..<10_000 where !values.values(of: [key], make: { _ in [:] }).isEmpty { kept += 1 }
        #expect(kept > 40 && kept <= 101)
    }
}
