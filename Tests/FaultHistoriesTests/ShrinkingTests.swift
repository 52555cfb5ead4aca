import FaultHistories
import Testing

@Suite("Shrinking")
struct ShrinkingTests {
    @Test(
        "The result has exactly the elements that a failure needs",
        arguments: [[0], [39], [3, 17, 31], [0, 1, 2, 3], [5, 6, 20, 21, 38, 39]])
    func minimalResult(_ needed: [Int]) async {
        let shortest = await Shrinking.shrink(Array(0..<40), attempts: 10_000) { part in
            needed.allSatisfy(part.contains)
        }
        #expect(shortest == needed)
    }

    @Test("A list whose elements are all needed does not change, and neither does an empty one")
    func indivisibleList() async {
        #expect(await Shrinking.shrink([1, 2, 3], attempts: 100) { $0.count == 3 } == [1, 2, 3])
        #expect(await Shrinking.shrink([Int](), attempts: 100) { _ in true } == [])
        #expect(await Shrinking.shrink([1], attempts: 100) { _ in true } == [1])
    }

    @Test("At most the allowed number of parts is tried, and the shortest that failed is the result")
    func limitOfAttempts() async {
        var asked = 0
        let shortest = await Shrinking.shrink(Array(0..<1_000), attempts: 5) { part in
            asked += 1
            return part.contains(0)
        }
        #expect(asked == 5)
        #expect(shortest.count < 1_000 && shortest.contains(0))
    }
}
