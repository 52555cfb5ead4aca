import Model
import Storage
import Visibility

/// A person whom a viewer may want to follow.
package struct PersonSuggestion: Sendable, Equatable {
    package let standing: Standing
    package let reason: Reason

    package var key: PersonKey { standing.key }
    package var userID: String { standing.userID }

    package enum Reason: Sendable, Equatable {
        /// Both listen much to these artists; the names are the other person's. The other person shows their stats to
        /// the viewer.
        case topArtists([String])
        /// Several of those whom the viewer follows do. They are not named.
        case network
    }
}

/// How much suggestions read, so that their time does not grow with the number of people and follows.
private enum Bounds {
    /// The people who rank an artist highest.
    static let peopleOfArtist = 100
    /// Those whom the viewer follows, and those whom each of them follows: the newest of each.
    static let (followed, followedByEach) = (300, 100)
    /// The best candidates, of which those whom the viewer may not see or follows already are left out.
    static let candidates = 200
}

extension PeopleStore {
    /// How many of those whom the viewer follows have to follow somebody who is suggested for that reason.
    package static var networkSize: Int { 3 }
    /// The fewest people of an installation that suggests by follows: among fewer, one would guess who follows whom.
    package static var smallestNetwork: Int { 20 }

    /// People whom a viewer may want to follow: those with the most artists in common, then those whom many of the
    /// viewer's follow.
    ///
    /// - Parameters:
    ///   - favorites: artists of the viewer beside those to whom they listen most.
    ///   - limit: at most 50.
    package func suggestions(
        for viewer: Viewer, favorites: [TopArtist] = [], limit: Int
    ) throws -> [PersonSuggestion] {
        var found = try byArtists(for: viewer, favorites: favorites, limit: limit)
        guard found.count < limit, try transaction.visibility.hasPeople(atLeast: Self.smallestNetwork) else {
            return found
        }
        let known = Set(found.map(\.key))
        found += try byFollows(for: viewer, limit: limit).filter { !known.contains($0.key) }
        return Array(found.prefix(limit))
    }

    private func byArtists(
        for viewer: Viewer, favorites: [TopArtist], limit: Int
    ) throws -> [PersonSuggestion] {
        var shared: [PersonKey: [String]] = [:]
        var keys: Set<String> = []
        let own = try artists(of: viewer.key)
        for artist in (own + favorites).prefix(2 * TopArtists.capacity) where keys.insert(artist.key).inserted {
            try transaction.forEachRow(
                """
                SELECT person, artist FROM person_artists
                WHERE artist_key = \(artist.key) ORDER BY rank, person LIMIT \(Bounds.peopleOfArtist)
                """
            ) { row in
                shared[try row["person"], default: []].append(try row["artist"])
                return .continue
            }
        }
        shared[viewer.key] = nil
        let best = shared.sorted { ($1.value.count, $0.key.rawValue) < ($0.value.count, $1.key.rawValue) }
        return try suggested(best.prefix(Bounds.candidates).map(\.key), facet: .stats, to: viewer).prefix(limit).map {
            PersonSuggestion(standing: $0, reason: .topArtists(shared[$0.key] ?? []))
        }
    }

    private func byFollows(for viewer: Viewer, limit: Int) throws -> [PersonSuggestion] {
        // Whom somebody follows counts only where the viewer may see the profile.
        let followed = try transaction.map(
            """
            SELECT people.key FROM follows JOIN people ON people.key = follows.followed
            WHERE follows.follower = \(viewer.key) AND \(Facet.profile.condition(for: viewer))
            ORDER BY follows.change DESC LIMIT \(Bounds.followed)
            """
        ) { try $0["key"] as PersonKey }
        guard followed.count >= Self.networkSize else { return [] }
        var counts: [PersonKey: Int] = [:]
        for person in followed {
            try transaction.forEachRow(
                """
                SELECT followed FROM follows WHERE follower = \(person)
                ORDER BY change DESC LIMIT \(Bounds.followedByEach)
                """
            ) { row in
                counts[try row["followed"], default: 0] += 1
                return .continue
            }
        }
        let best = counts.filter { $0.value >= Self.networkSize && $0.key != viewer.key }
            .sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
        return try suggested(best.prefix(Bounds.candidates).map(\.key), facet: .existence, to: viewer).prefix(limit)
            .map { PersonSuggestion(standing: $0, reason: .network) }
    }

    /// Those of the candidates of whom the viewer may see the facet, and whom they neither follow nor ask, in the same
    /// order.
    private func suggested(
        _ candidates: [PersonKey], facet: Facet, to viewer: Viewer
    ) throws -> [Standing] {
        let visible = try transaction.map(
            """
            SELECT \(Standing.columns(for: viewer)) FROM people
            WHERE people.key IN (\(list: candidates)) AND \(facet.condition(for: viewer))
                AND NOT EXISTS (
                    SELECT 1 FROM follows WHERE follows.follower = \(viewer.key) AND follows.followed = people.key)
                AND NOT EXISTS (
                    SELECT 1 FROM follow_requests
                    WHERE follow_requests.requester = \(viewer.key) AND follow_requests.requested = people.key)
            """, Standing.init(row:))
        let standings = Dictionary(uniqueKeysWithValues: visible.map { ($0.key, $0) })
        return candidates.compactMap { standings[$0] }
    }
}
