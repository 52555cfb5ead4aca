import Model
import Testing

@testable import Library

@Suite("Songs that share groups with others")
struct SongNeighborTests {
    private func neighbors(of tracks: [Int64], in groups: [[Int64]], limit: Int = 10) -> [Int64: SongNeighbor] {
        let found = SongNeighbor.neighbors(of: tracks.map { LibraryID(key: $0) }, in: groups, limit: limit)
        return Dictionary(uniqueKeysWithValues: found.map { ($0.key.key, $0.value) })
    }

    @Test("Groups with more of the given songs weigh more, long ones less, and the given songs are not neighbors")
    func weightsOfGroups() {
        let found = neighbors(of: [1, 2], in: [[1, 2, 3, 4], [1, 3], [5, 6], [2, 7, 8, 9, 10, 11, 12, 13, 14]])
        #expect(Set(found.keys) == [3, 4, 7, 8, 9, 10, 11, 12, 13, 14])
        #expect(found[3]?.groups == 2 && found[4]?.groups == 1)
        #expect(found[4]?.weight == 1 && found[3].map { $0.weight > 1.7 } == true)
        #expect(found[7]?.weight == 1.0 / 3)
    }

    @Test("The limit keeps the strongest neighbors, and of equal ones those with the lower keys")
    func limitOfNeighbors() {
        #expect(Set(neighbors(of: [1], in: [[1, 9, 8, 7], [1, 9]], limit: 2).keys) == [9, 7])
        #expect(neighbors(of: [], in: [[1, 2]]).isEmpty && neighbors(of: [1], in: []).isEmpty)
    }
}
