extension AppleMusicSimulator {
    /// What a person has played last: never more than fifty items, and without counts.
    func history(_ visit: AppleMusicVisit) throws(AppleMusicRefusal) -> Answer {
        let library = libraries.library(of: visit.account)
        let documents = AppleMusicLibraryDocuments(
            library: library, storefront: visit.storefront, includesCatalog: false)
        switch visit.parts {
        case ["recent", "played"]:
            return try page(library.playedReleases, of: visit, usual: 10, most: 10) {
                documents.catalogDocuments.album($0, hasRelations: false)
            }
        case ["recent", "played", "tracks"]:
            return try page(library.plays, of: visit, usual: 10, most: 30) { play in
                // A song that only the library has is returned as a library song.
                documents.catalogSong(of: play.track).map { documents.catalogDocuments.song($0) }
                    ?? documents.song(play.track)
            }
        case ["history", "heavy-rotation"]:
            return try page(library.heavyRotation, of: visit, usual: 10, most: 10) {
                documents.catalogDocuments.album($0, hasRelations: false)
            }
        default: throw .notFound
        }
    }
}

extension PersonalLibrary {
    /// Each release once, the most recently played first.
    fileprivate var playedReleases: [Release] {
        var known: Set<Release> = []
        return plays.filter { $0.track.kind != .upload }.map(\.track.entry.release).filter { known.insert($0).inserted }
    }

    /// The most played release first.
    fileprivate var heavyRotation: [Release] {
        var counts: [Release: Int] = [:]
        for play in plays where play.track.kind != .upload { counts[play.track.entry.release, default: 0] += 1 }
        return counts.sorted { ($1.value, $0.key.number) < ($0.value, $1.key.number) }.map(\.key)
    }
}
