/// Disjoint sets of the numbers from 0 to `count` - 1 that can be united: a union-find forest with path halving.
package struct DisjointSets: Sendable {
    private var parents: [Int32]

    /// Creates one set per number.
    ///
    /// - Parameter count: at most `Int32.max`.
    package init(count: Int) {
        parents = Array(0..<Int32(count))
    }

    /// The smallest member of the set that contains a number.
    private mutating func root(of number: Int32) -> Int32 {
        var number = number
        while parents[Int(number)] != number {
            parents[Int(number)] = parents[Int(parents[Int(number)])]
            number = parents[Int(number)]
        }
        return number
    }

    /// Makes one set of those that contain two numbers.
    package mutating func unite(_ one: Int32, _ other: Int32) {
        let (left, right) = (root(of: one), root(of: other))
        parents[Int(max(left, right))] = min(left, right)
    }

    /// Calls `body` with each set's members in ascending order. The sets come in the order of their smallest members.
    package mutating func forEachSet(_ body: (ArraySlice<Int32>) -> Void) {
        // This is a counting sort by root; the root of a set is its smallest member.
        var ends = [Int32](repeating: 0, count: parents.count)
        for number in parents.indices {
            parents[number] = root(of: Int32(number))
            ends[Int(parents[number])] += 1
        }
        var start: Int32 = 0
        for root in ends.indices {
            (ends[root], start) = (start, start + ends[root])
        }
        var members = [Int32](repeating: 0, count: parents.count)
        for (number, root) in parents.enumerated() {
            members[Int(ends[Int(root)])] = Int32(number)
            ends[Int(root)] += 1
        }
        var next = 0
        for end in ends where end > next {
            body(members[next..<Int(end)])
            next = Int(end)
        }
    }
}
