import Identity
import Library

/// The place of a source track after a change.
private struct ClusterMember {
    let row: SourceTrackRow
    /// The index of its cluster.
    let cluster: Int
}

/// Assigns ids to the clusters of an arrangement.
struct TrackIDAssignment {
    /// The track id of each cluster, in the order of the clusters; `nil` for a new track.
    private(set) var trackIDs: [Int64?]
    /// Tracks that are merged into others.
    private(set) var merged: [(id: Int64, survivor: Int64)] = []
    /// Ids of merged tracks that become tracks again.
    private(set) var revived: Set<Int64> = []
    /// The other ids of merged tracks, with the cluster that each one resolves to.
    private(set) var answering: [(id: Int64, cluster: Int)] = []
    /// Ids whose source track has to be stored, since it can no longer be derived from the tracks.
    private(set) var anchored: [(id: Int64, sourceTrack: Int64)] = []
    /// Ids whose source track is already stored.
    let written: Set<Int64>

    /// Each track id follows its source track. Of the tracks that end up in the same cluster, one with an Apple Music
    /// source track survives, or else the oldest. If there is none, the oldest merged id that belongs to the cluster
    /// becomes a track again. If `mergedMaySurvive` is set, merged ids compete with the tracks on equal terms.
    init(_ arrangement: TrackArrangement, _ anchors: TrackAnchors = TrackAnchors()) {
        trackIDs = Array(repeating: nil, count: arrangement.clusters.count)
        written = Set(anchors.sourceTracks.keys)
        var first: [Int64: ClusterMember] = [:]
        var preferred = Set(anchors.splitTrack.map { [$0] } ?? [])
        for (index, cluster) in arrangement.clusters.enumerated() {
            for row in cluster where row.trackID != 0 {
                if row.source == .appleMusic { preferred.insert(row.trackID) }
                if let known = first[row.trackID], known.row.precedes(row) { continue }
                first[row.trackID] = ClusterMember(row: row, cluster: index)
            }
        }
        let members = AnchoredMembers(arrangement, anchors)
        /// The ids that may survive in each cluster, and the merged ids that belong to it.
        var (candidates, waiting): ([Int: [Int64]], [Int: [Int64]]) = ([:], [:])
        for id in anchors.merged.keys.sorted() where first[id] == nil {
            guard let member = members.member(of: id) else { continue }
            if member.row.source == .appleMusic { preferred.insert(id) }
            waiting[member.cluster, default: []].append(id)
        }
        var own: [Int64: Int64] = [:]
        for (id, member) in first {
            let known = members.sourceTrack(of: id)
            let base = known ?? Self.unclaimed(member, id, waiting, anchors, arrangement)
            if base.row.source == .appleMusic { preferred.insert(id) }
            own[id] = base.row.id
            let cluster = members.member(of: id, at: base, among: member).cluster
            candidates[cluster, default: []].append(id)
            if known == nil, cluster != base.cluster { anchored.append((id, base.row.id)) }
        }
        if anchors.mergedMaySurvive {
            candidates.merge(waiting) { $0 + $1 }
            waiting = [:]
        }
        for (index, ids) in candidates {
            let ordered = ids.sorted { (preferred.contains($0) ? 0 : 1, $0) < (preferred.contains($1) ? 0 : 1, $1) }
            setID(ordered[0], at: index)
            if first[ordered[0]] == nil { revived.insert(ordered[0]) }
            for id in ordered.dropFirst() {
                if first[id] == nil { answering.append((id, index)) } else { merged.append((id, ordered[0])) }
            }
            guard ordered.count > 1 else { continue }
            for id in ordered where !written.contains(id) {
                if let sourceTrack = own[id] { anchored.append((id, sourceTrack)) }
            }
        }
        for (index, ids) in waiting {
            if trackIDs[index] == nil {
                setID(ids[0], at: index)
                revived.insert(ids[0])
            }
            for id in ids where id != trackIDs[index] { answering.append((id, index)) }
        }
    }

    /// The place of a track whose source track is not stored, or no longer exists: that of its first source track.
    /// Clusters that contain ids merged into this track are avoided, since their source tracks were not its own.
    private static func unclaimed(
        _ first: ClusterMember, _ id: Int64, _ waiting: [Int: [Int64]], _ anchors: TrackAnchors,
        _ arrangement: TrackArrangement
    ) -> ClusterMember {
        func isClaimed(_ cluster: Int) -> Bool { waiting[cluster]?.contains { anchors.merged[$0] == id } ?? false }
        guard isClaimed(first.cluster) else { return first }
        var found: ClusterMember?
        for (index, cluster) in arrangement.clusters.enumerated() where !isClaimed(index) {
            for row in cluster where row.trackID == id && found?.row.precedes(row) != true {
                found = ClusterMember(row: row, cluster: index)
            }
        }
        return found ?? first
    }

    /// Sets the id of a cluster that has none yet.
    mutating func setID(_ id: Int64, at index: Int) { trackIDs[index] = id }
}

/// The places of the source tracks that the anchors name.
private struct AnchoredMembers {
    private let anchors: TrackAnchors
    private var sourceTracks: [Int64: ClusterMember] = [:]
    /// The first of the source tracks that stayed with each split track.
    private var staying: [Int64: ClusterMember] = [:]

    init(_ arrangement: TrackArrangement, _ anchors: TrackAnchors) {
        self.anchors = anchors
        let named = Set(anchors.sourceTracks.values)
        var tracks: [Listing: [Int64]] = [:]
        for (id, listings) in anchors.staying {
            for listing in listings { tracks[listing, default: []].append(id) }
        }
        guard !named.isEmpty || !tracks.isEmpty else { return }
        for (index, cluster) in arrangement.clusters.enumerated() {
            for row in cluster {
                let member = ClusterMember(row: row, cluster: index)
                if named.contains(row.id) { sourceTracks[row.id] = member }
                for id in tracks[row.listing] ?? [] where staying[id]?.row.precedes(row) != true {
                    staying[id] = member
                }
            }
        }
    }

    func sourceTrack(of id: Int64) -> ClusterMember? { anchors.sourceTracks[id].flatMap { sourceTracks[$0] } }

    /// The place of a track.
    ///
    /// - Parameters:
    ///   - base: the place of the track's source track.
    ///   - first: the place of the first source track that the track has.
    func member(of id: Int64, at base: ClusterMember, among first: ClusterMember) -> ClusterMember {
        guard let listings = anchors.staying[id], !listings.contains(base.row.listing) else { return base }
        return staying[id] ?? first
    }

    /// The place of a merged id; `nil` if it follows the track that it resolves to.
    func member(of id: Int64) -> ClusterMember? {
        let base = sourceTrack(of: id)
        guard let listings = anchors.staying[id] else { return base }
        if let base, listings.contains(base.row.listing) { return base }
        return staying[id]
    }
}
