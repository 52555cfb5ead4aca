import Identity

/// Which source tracks are one track, of all those that a change may touch.
struct TrackArrangement {
    /// Source tracks of one track, in the order of their listings. Its id is not known yet.
    typealias Cluster = [SourceTrackRow]

    /// Two clusters that may be one song.
    struct Question {
        /// Positions among ``clusters``.
        let clusters: (Int, Int)
        /// The source tracks that are most alike.
        let sourceTracks: (Int64, Int64)
        let likelihood: Int
    }

    var clusters: [Cluster] = []
    var questions: [Question] = []

    /// - Parameter rows: those of the members of `result`.
    init(_ result: Clustering.Result, rows: [SourceTrackRow]) {
        clusters = result.clusters.map { $0.map { rows[$0] } }
        questions = result.questions.map { question in
            Question(
                clusters: question.clusters,
                sourceTracks: (rows[question.members.0].id, rows[question.members.1].id),
                likelihood: question.comparison.likelihood)
        }
    }

    /// The tracks that the database has of these source tracks.
    var trackIDs: Set<Int64> { Set(clusters.joined().map(\.trackID)).subtracting([0]) }

    /// The clusters in which tracks come together or part: all others are one track as before, or new.
    var unsettled: [Cluster] {
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
