import Model

/// A library's source tracks, in groups that the identity rules have to examine together. A group contains every source
/// track that shares a track, an ISRC, an identity key or a decision with one of its members, so that no song extends
/// beyond its group.
///
/// It uses about 80 bytes per source track while the groups are built, and at most 12 afterwards.
struct LinkedSourceTracks: Sendable {
    /// A value that a source track shares with others.
    struct Link: Sendable {
        /// Source tracks with equal values are linked. Values may also be equal by chance, which only makes a group
        /// larger than necessary.
        let value: Int64
        let sourceTrack: Int64
    }

    /// The members of all groups, group by group, sorted by each group's oldest member.
    private var ids: [Int64] = []
    /// The end index of each group in ``ids``.
    private var ends: [Int32] = []
    /// The index of the next group to return.
    private var next = 0

    /// - Parameters:
    ///   - ids: the distinct ids of the source tracks, in ascending order.
    ///   - kinds: the links, one list per kind of value.
    ///   - isWanted: whether to include the group that has the given members, which are in ascending order.
    init(
        _ ids: consuming [Int64], _ kinds: consuming [[Link]],
        where isWanted: (ArraySlice<Int64>) -> Bool = { _ in true }
    ) {
        var forest = DisjointSets(count: ids.count)
        // Each list is sorted in place, and freed before the next one.
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

    /// Returns the next groups, with at least `count` members in total unless fewer are left.
    ///
    /// - Returns: the members of each group in ascending order; empty if no groups are left.
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

    /// The index of an id, found by binary search.
    private static func position(of id: Int64, in ids: [Int64]) -> Int32? {
        var (low, high) = (0, ids.count)
        while low < high {
            let middle = (low + high) / 2
            if ids[middle] < id { low = middle + 1 } else { high = middle }
        }
        return low < ids.count && ids[low] == id ? Int32(low) : nil
    }
}
