import Identity
import Model
import Storage

/// A song to look for in a library.
package struct LibraryQuestion: Sendable {
    package var title: String
    package var artist: String
    /// Empty if the album is not known.
    package var album: String
    package var durationMs: Int?
    package var isrc: String?
    /// The song's ids at services.
    package var ids: [MusicSource: String]

    package init(
        title: String, artist: String, album: String = "", durationMs: Int? = nil, isrc: String? = nil,
        ids: [MusicSource: String] = [:]
    ) {
        (self.title, self.artist, self.album, self.durationMs) = (title, artist, album, durationMs)
        (self.isrc, self.ids) = (isrc, ids)
    }
}

extension TrackIdentityStore {
    /// The keys of the tracks that match the given songs, in the same order; `nil` for a song that the library does not
    /// have.
    ///
    /// A matching id at a service decides. Otherwise the identity rules do (docs/identity.md): a track matches if they
    /// consider it the same song, or if it is the only one that nothing contradicts and that shares a name or the ISRC.
    /// `Reif` and `Otto Reif` do not share a name.
    package func tracks(like questions: [LibraryQuestion], userID: String) throws -> [Int64?] {
        guard let library = try transaction.library.libraryID(ofUser: userID) else { return questions.map { _ in nil } }
        var known: [MusicSource: [String: Int64]] = [:]
        for source in MusicSource.services {
            let ids = questions.compactMap { $0.ids[source] }
            known[source] = try transaction.tracks.sourceTracks(ids, of: source, library: library).mapValues(\.trackID)
        }
        let rules = IdentityRules(remastersAreSame: try remastersAreSame(userID: userID))
        return try questions.map { question in
            for (source, id) in question.ids { if let track = known[source]?[id] { return track } }
            return try track(like: question, library: library, rules)
        }
    }

    /// The track that the identity rules consider the same song as a record; `nil` if the library has none.
    package func track(sameAs record: IdentityRecord, userID: String) throws -> LibraryID? {
        guard let library = try transaction.library.libraryID(ofUser: userID) else { return nil }
        let rules = IdentityRules(remastersAreSame: try remastersAreSame(userID: userID))
        let profile = IdentityProfile(record)
        return try candidates(for: profile, library: library).first {
            rules.compare(profile, $0.profile).verdict == .same
        }.map { LibraryID(key: $0.trackID) }
    }

    private func track(like question: LibraryQuestion, library: Int64, _ rules: IdentityRules) throws -> Int64? {
        let profile = IdentityProfile(
            IdentityRecord(
                title: question.title, artist: question.artist, album: question.album, durationMs: question.durationMs,
                isrc: question.isrc))
        var possible: Set<Int64> = []
        for candidate in try candidates(for: profile, library: library) {
            switch rules.compare(profile, candidate.profile).verdict {
            case .same: return candidate.trackID
            case .undecided where profile.sharesNameOrISRC(with: candidate.profile): possible.insert(candidate.trackID)
            case .undecided, .different: break
            }
        }
        return possible.count == 1 ? possible.first : nil
    }

    /// The source tracks that share a key or the ISRC with a song, oldest first. A key may represent a single word of
    /// an artist's name.
    private func candidates(for profile: IdentityProfile, library: Int64) throws -> [SourceTrackRow] {
        var ids = Set(
            try transaction.map(
                """
                SELECT source_track_id FROM library_identity_keys
                WHERE library_id = \(library) AND identity_key IN (\(list: profile.keys)) LIMIT 200
                """
            ) { try $0["source_track_id"] as Int64 })
        if let isrc = profile.isrc {
            ids.formUnion(
                try transaction.map(
                    """
                    SELECT id FROM library_source_tracks WHERE library_id = \(library) AND isrc = \(isrc) LIMIT 50
                    """
                ) { try $0["id"] as Int64 })
        }
        guard !ids.isEmpty else { return [] }
        return try transaction.map(
            """
            SELECT \(SourceTrackRow.columns) FROM library_source_tracks
            WHERE +library_id = \(library) AND id IN (\(list: ids)) ORDER BY id
            """, SourceTrackRow.init)
    }
}
