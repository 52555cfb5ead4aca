import Identity

/// Where a source track is after a change.
private struct Place {
    let row: SourceTrackRow
    /// A position among the clusters.
    let cluster: Int
}

/// The ids of arranged tracks.
struct TrackPlacement {
    /// Each cluster's track, in the order of the clusters; `nil` for a new one.
    private(set) var trackIDs: [Int64?]
    /// Tracks that become part of others.
    private(set) var merged: [(id: Int64, survivor: Int64)] = []
    /// Ids of merged tracks that are tracks again.
    private(set) var revived: Set<Int64> = []
    /// The other ids of merged tracks, with the cluster that each belongs to.
    private(set) var answering: [(id: Int64, cluster: Int)] = []
    /// The source tracks of ids that are to be written, since what the tracks have does not tell them any more.
    private(set) var anchored: [(id: Int64, sourceTrack: Int64)] = []
    /// Ids whose source tracks are written.
    let written: Set<Int64>

    /// Each track goes where its source track is. Of the tracks that come together so, the one with a source track of
    /// Apple Music survives, or else the oldest. Where none is, the oldest of the merged ids that belong there becomes
    /// a track again; when a person decides, the merged ids are in the same order as the tracks.
    init(_ arrangement: TrackArrangement, _ anchors: TrackAnchors = TrackAnchors()) {
        trackIDs = Array(repeating: nil, count: arrangement.clusters.count)
        written = Set(anchors.sourceTracks.keys)
        var first: [Int64: Place] = [:]
        var preferred = Set(anchors.splitTrack.map { [$0] } ?? [])
        for (index, cluster) in arrangement.clusters.enumerated() {
            for row in cluster where row.trackID != 0 {
                if row.source == .appleMusic { preferred.insert(row.trackID) }
                if let known = first[row.trackID], known.row.precedes(row) { continue }
                first[row.trackID] = Place(row: row, cluster: index)
            }
        }
        let places = WrittenPlaces(arrangement, anchors)
        /// The ids that may survive in each cluster, and the merged ones that belong there.
        var (candidates, waiting): ([Int: [Int64]], [Int: [Int64]]) = ([:], [:])
        for id in anchors.merged.keys.sorted() where first[id] == nil {
            guard let place = places.place(of: id) else { continue }
            if place.row.source == .appleMusic { preferred.insert(id) }
            waiting[place.cluster, default: []].append(id)
        }
        var own: [Int64: Int64] = [:]
        for (id, place) in first {
            let known = places.sourceTrack(of: id)
            let base = known ?? Self.unclaimed(place, id, waiting, anchors, arrangement)
            if base.row.source == .appleMusic { preferred.insert(id) }
            own[id] = base.row.id
            let cluster = places.place(of: id, at: base, among: place).cluster
            candidates[cluster, default: []].append(id)
            if known == nil, cluster != base.cluster { anchored.append((id, base.row.id)) }
        }
        if anchors.mergedMaySurvive {
            candidates.merge(waiting) { $0 + $1 }
            waiting = [:]
        }
        for (index, ids) in candidates {
            let ordered = ids.sorted { (preferred.contains($0) ? 0 : 1, $0) < (preferred.contains($1) ? 0 : 1, $1) }
            set(ordered[0], at: index)
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
                set(ids[0], at: index)
                revived.insert(ids[0])
            }
            for id in ids where id != trackIDs[index] { answering.append((id, index)) }
        }
    }

    /// Where a track belongs whose source track is not written: one is gone, or an earlier release merged others into
    /// it. What ids that answer with it belong to was not its own.
    private static func unclaimed(
        _ first: Place, _ id: Int64, _ waiting: [Int: [Int64]], _ anchors: TrackAnchors, _ arrangement: TrackArrangement
    ) -> Place {
        func isClaimed(_ cluster: Int) -> Bool { waiting[cluster]?.contains { anchors.merged[$0] == id } ?? false }
        guard isClaimed(first.cluster) else { return first }
        var found: Place?
        for (index, cluster) in arrangement.clusters.enumerated() where !isClaimed(index) {
            for row in cluster where row.trackID == id && found?.row.precedes(row) != true {
                found = Place(row: row, cluster: index)
            }
        }
        return found ?? first
    }

    /// Sets the id of a track that has none.
    mutating func set(_ id: Int64, at index: Int) { trackIDs[index] = id }
}

/// Where the source tracks are that anchors name.
private struct WrittenPlaces {
    private let anchors: TrackAnchors
    private var sourceTracks: [Int64: Place] = [:]
    /// The first source track of those that stayed with a track, by the track.
    private var staying: [Int64: Place] = [:]

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
                let place = Place(row: row, cluster: index)
                if named.contains(row.id) { sourceTracks[row.id] = place }
                for id in tracks[row.listing] ?? [] where staying[id]?.row.precedes(row) != true { staying[id] = place }
            }
        }
    }

    func sourceTrack(of id: Int64) -> Place? { anchors.sourceTracks[id].flatMap { sourceTracks[$0] } }

    /// Where a track belongs.
    ///
    /// - Parameters:
    ///   - base: its source track.
    ///   - first: the first that it has.
    func place(of id: Int64, at base: Place, among first: Place) -> Place {
        guard let listings = anchors.staying[id], !listings.contains(base.row.listing) else { return base }
        return staying[id] ?? first
    }

    /// Where a merged id belongs; `nil` if it follows the track that it answers with.
    func place(of id: Int64) -> Place? {
        let base = sourceTrack(of: id)
        guard let listings = anchors.staying[id] else { return base }
        if let base, listings.contains(base.row.listing) { return base }
        return staying[id]
    }
}
