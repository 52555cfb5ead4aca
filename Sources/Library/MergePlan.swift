/// Tracks of a library with the same ISRC.
package struct EqualTracks: Sendable, Hashable {
    let isrc: String
    /// Oldest first.
    var ids: [Int64]
}

/// Tracks to merge, in steps.
package struct MergePlan: Sendable {
    /// The next ones are at the end.
    private var groups: [EqualTracks]

    /// - Parameter groups: each with two tracks or more.
    package init(_ groups: [EqualTracks]) {
        // By the newest track, which usually goes: so a step's tracks are neighbours, with their texts in few blocks.
        self.groups = groups.sorted { ($0.ids.last ?? 0) > ($1.ids.last ?? 0) }
    }

    package var isEmpty: Bool { groups.isEmpty }

    /// Takes the tracks of the next step. Of a group that is larger than a step, it takes a part; the survivors of its
    /// parts are equal tracks that the library has afterwards.
    ///
    /// - Parameter limit: the most tracks to merge into others; at least 1.
    package mutating func next(limit: Int) -> [EqualTracks] {
        let limit = max(1, limit)
        var chosen: [EqualTracks] = []
        var room = limit
        while room > 0, var group = groups.popLast() {
            let count = group.ids.count - 1
            guard count > room else {
                chosen.append(group)
                room -= count
                continue
            }
            if chosen.isEmpty {
                chosen.append(EqualTracks(isrc: group.isrc, ids: Array(group.ids.prefix(limit + 1))))
                group.ids.removeFirst(limit + 1)
            }
            if group.ids.count > 1 { groups.append(group) }
            break
        }
        return chosen
    }
}

/// What a step of merging did.
package struct MergeEffect: Sendable, Hashable {
    /// Tracks that were merged into others.
    package var merged = 0
    /// Source tracks that have another track now.
    package var moved = 0

    package var isChange: Bool { merged > 0 || moved > 0 }
}
