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
}

/// The ids of arranged tracks.
struct TrackPlacement {
    /// Each cluster's track, in the order of the clusters; `nil` for a new one.
    private(set) var trackIDs: [Int64?]
    /// Tracks that become part of others, with the source track that each had first.
    private(set) var merged: [(id: Int64, survivor: Int64, sourceTrack: Int64)] = []

    /// Each track stays where its first source track is, by the order in which ``TrackValues`` looks at them. Of the
    /// tracks that come together so, the one with a source track of Apple Music survives, or else the oldest.
    ///
    /// - Parameter leaving: source tracks with which no track goes.
    init(_ arrangement: TrackArrangement, leaving: Set<Int64> = []) {
        var first: [Int64: (row: SourceTrackRow, cluster: Int)] = [:]
        var ofApple: Set<Int64> = []
        for (index, cluster) in arrangement.clusters.enumerated() {
            for row in cluster where row.trackID != 0 {
                if row.source == .appleMusic { ofApple.insert(row.trackID) }
                if let known = first[row.trackID], !Self.precedes(row, known.row, leaving) { continue }
                first[row.trackID] = (row, index)
            }
        }
        var owned: [Int: [Int64]] = [:]
        for (id, place) in first where !leaving.contains(place.row.id) { owned[place.cluster, default: []].append(id) }
        trackIDs = Array(repeating: nil, count: arrangement.clusters.count)
        for (index, ids) in owned.sorted(by: { $0.key < $1.key }) {
            let ordered = ids.sorted { (ofApple.contains($0) ? 0 : 1, $0) < (ofApple.contains($1) ? 0 : 1, $1) }
            trackIDs[index] = ordered[0]
            for id in ordered.dropFirst() {
                guard let row = first[id]?.row else { continue }
                merged.append((id, ordered[0], row.id))
            }
        }
    }

    private static func precedes(_ left: SourceTrackRow, _ right: SourceTrackRow, _ leaving: Set<Int64>) -> Bool {
        let (leftLeaves, rightLeaves) = (leaving.contains(left.id), leaving.contains(right.id))
        return leftLeaves == rightLeaves ? left.precedes(right) : rightLeaves
    }

    /// Sets the id of a track that has none.
    mutating func set(_ id: Int64, at index: Int) { trackIDs[index] = id }
}
