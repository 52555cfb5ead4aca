import Model

/// A song that is in groups of songs, such as playlists, together with some others.
package struct SongNeighbour: Sendable, Hashable {
    /// How many groups have it and one of the others.
    package var groups = 0
    /// Grows with the number of the others in these groups, and shrinks with the groups' length: long ones say little
    /// about what goes together.
    package var weight = 0.0

    package init() {}

    /// The songs that are in groups together with some others, those with the greatest weight.
    ///
    /// - Parameters:
    ///   - tracks: the others.
    ///   - groups: the keys of their songs, without repetition.
    package static func neighbours(
        of tracks: [LibraryID], in groups: [[Int64]], limit: Int
    ) -> [LibraryID: SongNeighbour] {
        let keys = Set(tracks.map(\.key))
        var found: [Int64: SongNeighbour] = [:]
        for group in groups {
            let shared = group.count(where: keys.contains)
            guard shared > 0 else { continue }
            let weight = Double(shared) / Double(group.count).squareRoot()
            for key in group where !keys.contains(key) {
                found[key, default: SongNeighbour()].groups += 1
                found[key, default: SongNeighbour()].weight += weight
            }
        }
        let first = found.sorted { ($1.value.weight, $0.key) < ($0.value.weight, $1.key) }.prefix(limit)
        return Dictionary(uniqueKeysWithValues: first.map { (LibraryID(key: $0.key), $0.value) })
    }
}
