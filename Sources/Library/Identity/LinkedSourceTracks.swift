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

    /// - Parameters:
    ///   - ids: the source tracks, in ascending order, each once.
    ///   - kinds: what they have in common, by kinds of values.
    ///   - isWanted: whether a group is kept, by its members in ascending order.
    init(
        _ ids: consuming [Int64], _ kinds: consuming [[Link]],
        where isWanted: (ArraySlice<Int64>) -> Bool = { _ in true }
    ) {
        var forest = DisjointSets(count: ids.count)
        // Each kind is sorted in place and freed before the next one.
        while var kind = kinds.popLast() {
            kind.sort { $0.value < $1.value }
            for index in kind.indices.dropFirst() where kind[index].value == kind[index - 1].value {
                guard let one = Self.position(of: kind[index - 1].sourceTrack, in: ids),
                    let other = Self.position(of: kind[index].sourceTrack, in: ids)
                else { continue }
                forest.unite(one, other)
            }
        }
        var (kept, ends): ([Int64], [Int32]) = ([], [])
        forest.forEachSet { members in
            let start = kept.count
            for member in members { kept.append(ids[Int(member)]) }
            if isWanted(kept[start...]) {
                ends.append(Int32(kept.count))
            } else {
                kept.removeLast(kept.count - start)
            }
        }
        (self.ids, self.ends) = (kept, ends)
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

    /// By binary search.
    private static func position(of id: Int64, in ids: [Int64]) -> Int32? {
        var (low, high) = (0, ids.count)
        while low < high {
            let middle = (low + high) / 2
            if ids[middle] < id { low = middle + 1 } else { high = middle }
        }
        return low < ids.count && ids[low] == id ? Int32(low) : nil
    }
}
