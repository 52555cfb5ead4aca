/// The source tracks of a library, in groups of those that the rules have to look at together: a group has all that
/// share a track, an ISRC, an identity key or a decision with one of its members, so that no song reaches beyond it.
///
/// Some 80 bytes a source track while the groups are made, and 12 at most afterwards.
struct LinkedSourceTracks: Sendable {
    /// Something that source tracks have in common.
    struct Link: Sendable {
        /// Equal ones link. Others may be equal by chance, which makes a group larger than it has to be.
        let value: Int64
        let sourceTrack: Int64
    }

    /// The members of all groups, one group after the other, the one with the oldest member first.
    private var ids: [Int64] = []
    /// Where each group ends in ``ids``.
    private var ends: [Int32] = []
    /// The next group to take.
    private var next = 0

    /// - Parameter kinds: what the source tracks have in common, by kinds of values. Every source track has a link of some
    ///   kind.
    init(_ kinds: [[Link]]) {
        ids = kinds.joined().map(\.sourceTrack)
        ids.sort()
        ids.removeRepeats()
        var forest = DisjointSets(count: ids.count)
        for kind in kinds {
            let sorted = kind.sorted { $0.value < $1.value }
            for (one, other) in zip(sorted, sorted.dropFirst()) where one.value == other.value {
                forest.unite(position(of: one.sourceTrack), position(of: other.sourceTrack))
            }
        }
        // The root of a set is its smallest member, so that this is the order of the oldest members.
        let order = ids.indices.map { (root: forest.root(of: Int32($0)), id: ids[$0]) }
            .sorted { ($0.root, $0.id) < ($1.root, $1.id) }
        for (index, member) in order.enumerated() {
            ids[index] = member.id
            if index + 1 == order.count || order[index + 1].root != member.root { ends.append(Int32(index + 1)) }
        }
    }

    /// The next groups, with at least so many members in all, unless fewer are left.
    ///
    /// - Returns: the members of each group in ascending order; empty when none are left.
    mutating func take(_ count: Int) -> [ArraySlice<Int64>] {
        var groups: [ArraySlice<Int64>] = []
        var taken = 0
        while next < ends.count, taken < count {
            let start = next == 0 ? 0 : Int(ends[next - 1])
            groups.append(ids[start..<Int(ends[next])])
            taken += groups[groups.count - 1].count
            next += 1
        }
        return groups
    }

    /// By binary search in ``ids``, which are in ascending order until the groups are made.
    private func position(of id: Int64) -> Int32 {
        var (low, high) = (0, ids.count)
        while low < high {
            let middle = (low + high) / 2
            if ids[middle] < id { low = middle + 1 } else { high = middle }
        }
        return Int32(low)
    }
}

extension [Int64] {
    /// Leaves one of each run of equal elements.
    fileprivate mutating func removeRepeats() {
        var kept = 0
        for element in self where kept == 0 || self[kept - 1] != element {
            self[kept] = element
            kept += 1
        }
        removeLast(count - kept)
    }
}

/// Sets of the numbers from 0 on, which can be united: a forest whose paths are halved as they are followed.
private struct DisjointSets {
    private var parents: [Int32]

    init(count: Int) {
        parents = Array(0..<Int32(count))
    }

    /// The smallest member of the set that has a number.
    mutating func root(of number: Int32) -> Int32 {
        var number = number
        while parents[Int(number)] != number {
            parents[Int(number)] = parents[Int(parents[Int(number)])]
            number = parents[Int(number)]
        }
        return number
    }

    mutating func unite(_ one: Int32, _ other: Int32) {
        let (left, right) = (root(of: one), root(of: other))
        parents[Int(max(left, right))] = min(left, right)
    }
}
