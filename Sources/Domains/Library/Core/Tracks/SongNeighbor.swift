import Model

/// How strongly a song is connected to some given songs by groups, such as playlists, that contain both.
package struct SongNeighbor: Sendable, Hashable {
    /// The number of groups that contain the song and at least one of the given songs.
    package var groups = 0
    /// Grows with the number of given songs in these groups, and shrinks with the groups' length, since long groups say
    /// little about what goes together.
    package var weight = 0.0

    package init() {}

    /// The songs that share groups with the given songs, limited to those with the greatest weight.
    ///
    /// - Parameters:
    ///   - tracks: the given songs.
    ///   - groups: the keys of each group's songs, without repetition.
    package static func neighbors(
        of tracks: [LibraryID], in groups: [[Int64]], limit: Int
    ) -> [LibraryID: SongNeighbor] {
        let keys = Set(tracks.map(\.key))
        var found: [Int64: SongNeighbor] = [:]
        for group in groups {
            let shared = group.count(where: keys.contains)
            guard shared > 0 else { continue }
            let weight = Double(shared) / Double(group.count).squareRoot()
            for key in group where !keys.contains(key) {
                found[key, default: SongNeighbor()].groups += 1
                found[key, default: SongNeighbor()].weight += weight
            }
        }
        let first = found.sorted { ($1.value.weight, $0.key) < ($0.value.weight, $1.key) }.prefix(limit)
        return Dictionary(uniqueKeysWithValues: first.map { (LibraryID(key: $0.key), $0.value) })
    }
}
