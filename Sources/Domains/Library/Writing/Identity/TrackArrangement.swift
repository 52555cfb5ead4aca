import Identity
import Library

/// Which source tracks form one track, for all source tracks that a change may affect.
struct TrackArrangement {
    /// The source tracks of one track, in the order of their listings. The track's id is not known yet.
    typealias Cluster = [SourceTrackRow]

    /// Two clusters that may be the same song.
    struct Question {
        /// Indices in ``clusters``.
        let clusters: (Int, Int)
        /// The ids of the two most similar source tracks.
        let sourceTracks: (Int64, Int64)
        let likelihood: Int
    }

    var clusters: [Cluster] = []
    var questions: [Question] = []

    /// - Parameter rows: the rows of the members of `result`.
    init(_ result: Clustering.Result, rows: [SourceTrackRow]) {
        clusters = result.clusters.map { $0.map { rows[$0] } }
        questions = result.questions.map { question in
            Question(
                clusters: question.clusters,
                sourceTracks: (rows[question.members.0].id, rows[question.members.1].id),
                likelihood: question.comparison.likelihood)
        }
    }

    /// The ids of the tracks that these source tracks have in the database.
    var trackIDs: Set<Int64> { Set(clusters.joined().map(\.trackID)).subtracting([0]) }

    /// The clusters that merge or split tracks; each of the others is an unchanged track, or a new one.
    var undecided: [Cluster] {
        var places: [Int64: Int] = [:]
        var found: Set<Int> = []
        for (index, cluster) in clusters.enumerated() {
            var only: Int64?
            for row in cluster where row.trackID != 0 {
                if let other = only, other != row.trackID { found.insert(index) }
                only = row.trackID
                let place = places[row.trackID] ?? index
                places[row.trackID] = place
                if place != index { found.formUnion([place, index]) }
            }
        }
        return found.sorted().map { clusters[$0] }
    }
}
