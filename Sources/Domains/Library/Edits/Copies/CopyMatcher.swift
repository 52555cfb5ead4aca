import Foundation
import Identity
import Model

/// A song in a catalog that may match one that is being copied.
package struct CopyCandidate: Sendable, Hashable {
    package var id: String
    package var record: IdentityRecord

    package init(id: String, record: IdentityRecord) {
        (self.id, self.record) = (id, record)
    }
}

/// The catalog of the service that a playlist is copied to. The closures throw `ProviderFailure`.
package struct CopyCatalog: Sendable {
    /// The maximum number of ISRCs per call.
    package var codesPerCall: Int
    /// Returns all songs that have one of the given ISRCs, which are in plain form; at most ``codesPerCall`` of them.
    package var withCodes: @Sendable ([String]) async throws -> [CopyCandidate]
    /// Returns a page of search results: ten songs.
    package var search: @Sendable (_ text: String, _ offset: Int) async throws -> [CopyCandidate]

    package static let searchPage = 10

    package init(
        codesPerCall: Int, withCodes: @escaping @Sendable ([String]) async throws -> [CopyCandidate],
        search: @escaping @Sendable (_ text: String, _ offset: Int) async throws -> [CopyCandidate]
    ) {
        (self.codesPerCall, self.withCodes, self.search) = (codesPerCall, withCodes, search)
    }
}

/// Finds a service's songs in the catalog of another service with the identity rules.
package struct CopyMatcher: Sendable {
    package struct Match: Sendable {
        package var found: CopyCandidate?
        /// What was tried, as shown to people.
        package var tried: [String] = []
        /// Whether the match required searches of its own.
        package var hasSearched = false
        /// The closest candidates if no match was found.
        package var nearest: [CopyCandidate] = []
    }

    private static let mostSuggestions = 3

    private let rules: IdentityRules
    private let catalog: CopyCatalog

    package init(rules: IdentityRules, catalog: CopyCatalog) {
        (self.rules, self.catalog) = (rules, catalog)
    }

    /// The catalog's songs for the ISRCs of the given songs, by ISRC.
    ///
    /// - Parameter songs: at most ``CopyCatalog/codesPerCall`` songs.
    /// - Throws: errors of the catalog.
    package func candidates(withCodesOf songs: [IdentityProfile]) async throws -> [String: [CopyCandidate]] {
        let codes = Set(songs.compactMap(\.isrc)).sorted()
        let coded = codes.isEmpty ? [] : try await catalog.withCodes(codes)
        return Dictionary(grouping: coded) { IdentityProfile($0.record).isrc ?? "" }
    }

    /// Whether the ISRC alone identifies the song.
    func isCertain(_ wanted: IdentityProfile, _ byCode: [String: [CopyCandidate]]) -> Bool {
        guard let code = wanted.isrc else { return false }
        return (byCode[code] ?? []).contains { rules.compare(wanted, IdentityProfile($0.record)).verdict == .same }
    }

    /// Matches a song with the catalog: by its ISRC first, then by searching.
    ///
    /// - Parameter byCode: catalog songs by ISRC, including those for this song's ISRC.
    /// - Throws: errors of the catalog.
    package func match(_ wanted: IdentityProfile, _ byCode: [String: [CopyCandidate]]) async throws -> Match {
        var judged = RatedCandidates(wanted: wanted, rules: rules)
        var match = Match()
        if let code = wanted.isrc {
            match.tried.append("ISRC \(code)")
            judged.add(byCode[code] ?? [])
        }
        if judged.best == nil {
            search: for text in Self.searches(for: wanted.record) {
                match.tried.append("search “\(text)”")
                match.hasSearched = true
                for offset in [0, CopyCatalog.searchPage] {
                    let page = try await catalog.search(text, offset)
                    judged.add(page)
                    if judged.best != nil { break search }
                    if page.count < CopyCatalog.searchPage { break }
                }
            }
        }
        match.found = judged.best
        if match.found == nil { match.nearest = judged.nearest(Self.mostSuggestions) }
        return match
    }

    /// The texts to search for, in order, until a song is found: the first artist with the beginning of the title,
    /// since services write guests and versions in their own ways; the first artist with the whole title; the beginning
    /// of the title alone.
    static func searches(for record: IdentityRecord) -> [String] {
        func beginning(of text: String, before ends: [String]) -> String {
            let cut = ends.compactMap { text.range(of: $0, options: .caseInsensitive)?.lowerBound }
                .filter { $0 > text.startIndex }.min()
            return text[..<(cut ?? text.endIndex)].trimmingCharacters(in: .whitespaces)
        }
        let artist = beginning(of: record.artist, before: [" feat", " ft.", ", ", " & ", " x ", " / ", ";"])
        let title = beginning(of: record.title, before: ["(", "[", " - ", " feat.", " ft."])
        var texts: [String] = []
        for text in ["\(artist) \(title)", "\(artist) \(record.title)", title] {
            let text = String(text.trimmingCharacters(in: .whitespaces).prefix(200))
            if !text.isEmpty, !texts.contains(text) { texts.append(text) }
        }
        return texts
    }
}

/// Candidates for a song, judged by the identity rules.
private struct RatedCandidates {
    private struct Candidate {
        let song: CopyCandidate
        let comparison: Comparison
        /// 0 if both are explicit, both are clean, or neither says which of the two it is; 1 if only one says that it is
        /// clean; otherwise 2.
        let wordingDistance: Int
    }

    let wanted: IdentityProfile
    let rules: IdentityRules
    private var all: [Candidate] = []

    init(wanted: IdentityProfile, rules: IdentityRules) {
        (self.wanted, self.rules) = (wanted, rules)
    }

    mutating func add(_ candidates: [CopyCandidate]) {
        for song in candidates where !all.contains(where: { $0.song.id == song.id }) {
            let profile = IdentityProfile(song.record)
            all.append(
                Candidate(
                    song: song, comparison: rules.compare(wanted, profile),
                    wordingDistance: profile.isExplicit != wanted.isExplicit
                        ? 2 : profile.isClean != wanted.isClean ? 1 : 0))
        }
    }

    /// The candidate that is the same song. Candidates that agree on being explicit or clean are preferred, then the
    /// most similar, then the closest in duration, then the first.
    var best: CopyCandidate? {
        let same = all.enumerated().filter { $0.element.comparison.verdict == .same }
        let nearest = same.map(\.element.wordingDistance).min()
        return same.filter { $0.element.wordingDistance == nearest }
            .min { order($0.offset, $0.element) < order($1.offset, $1.element) }?.element.song
    }

    private func order(_ index: Int, _ judged: Candidate) -> (Int, UInt, Int) {
        let left = wanted.record.durationMs ?? 0
        return (-judged.comparison.likelihood, (left - (judged.song.record.durationMs ?? left)).magnitude, index)
    }

    func nearest(_ count: Int) -> [CopyCandidate] {
        all.enumerated().sorted { order($0.offset, $0.element) < order($1.offset, $1.element) }
            .prefix(count).map(\.element.song)
    }
}
