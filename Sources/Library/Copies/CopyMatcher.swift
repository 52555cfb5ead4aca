import Foundation
import Identity
import Model

/// A song of a catalog that may stand for one that is copied.
package struct CopyCandidate: Sendable, Hashable {
    package var id: String
    package var record: IdentityRecord

    package init(id: String, record: IdentityRecord) {
        (self.id, self.record) = (id, record)
    }
}

/// The catalog of the service that a playlist is copied to. The closures throw `ProviderFailure`.
package struct CopyCatalog: Sendable {
    /// How many ISRCs one call takes.
    package var codesPerCall: Int
    /// All songs that have one of some ISRCs in their plain form, ``codesPerCall`` at most.
    package var withCodes: @Sendable ([String]) async throws -> [CopyCandidate]
    /// A page of a search, ten songs.
    package var search: @Sendable (_ text: String, _ offset: Int) async throws -> [CopyCandidate]

    package static let searchPage = 10

    package init(
        codesPerCall: Int, withCodes: @escaping @Sendable ([String]) async throws -> [CopyCandidate],
        search: @escaping @Sendable (_ text: String, _ offset: Int) async throws -> [CopyCandidate]
    ) {
        (self.codesPerCall, self.withCodes, self.search) = (codesPerCall, withCodes, search)
    }
}

/// Finds songs of one service in the catalog of another by the rules of identity.
package struct CopyMatcher: Sendable {
    package struct Match: Sendable {
        package var found: CopyCandidate?
        /// What was tried, for people.
        package var tried: [String] = []
        /// Whether it took calls of its own.
        package var hasSearched = false
        /// The candidates that come nearest, when none was found.
        package var nearest: [CopyCandidate] = []
    }

    private static let mostSuggestions = 3

    private let rules: IdentityRules
    private let catalog: CopyCatalog

    package init(rules: IdentityRules, catalog: CopyCatalog) {
        (self.rules, self.catalog) = (rules, catalog)
    }

    /// What the catalog has for the ISRCs of some songs, by ISRC.
    ///
    /// - Parameter songs: ``CopyCatalog/codesPerCall`` at most.
    /// - Throws: what the catalog throws.
    package func candidates(withCodesOf songs: [IdentityProfile]) async throws -> [String: [CopyCandidate]] {
        let codes = Set(songs.compactMap(\.isrc)).sorted()
        let coded = codes.isEmpty ? [] : try await catalog.withCodes(codes)
        return Dictionary(grouping: coded) { IdentityProfile($0.record).isrc ?? "" }
    }

    /// Whether the ISRC alone finds a song.
    func isCertain(_ wanted: IdentityProfile, _ byCode: [String: [CopyCandidate]]) -> Bool {
        guard let code = wanted.isrc else { return false }
        return (byCode[code] ?? []).contains { rules.compare(wanted, IdentityProfile($0.record)).verdict == .same }
    }

    /// - Parameter byCode: what the catalog has for its ISRC, among others.
    /// - Throws: what the catalog throws.
    package func match(_ wanted: IdentityProfile, _ byCode: [String: [CopyCandidate]]) async throws -> Match {
        var judged = Judged(wanted: wanted, rules: rules)
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

    /// The texts to search for, one after the other until a song is found: the first artist with the title's beginning,
    /// since services write guests and versions in their own ways; with the whole title; the title's beginning alone.
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

/// Candidates for a song, judged by the rules.
private struct Judged {
    private struct Candidate {
        let song: CopyCandidate
        let comparison: Comparison
        /// Whether both have explicit words, or neither.
        let hasSameWording: Bool
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
                    hasSameWording: profile.isExplicit == wanted.isExplicit))
        }
    }

    /// The one that is the same song: with the same wording if there is one, the most alike, then the nearest in
    /// duration, then the first.
    var best: CopyCandidate? {
        let same = all.enumerated().filter { $0.element.comparison.verdict == .same }
        let hasWording = same.contains { $0.element.hasSameWording }
        return same.filter { $0.element.hasSameWording == hasWording }
            .min { order($0.offset, $0.element) < order($1.offset, $1.element) }?.element.song
    }

    private func order(_ index: Int, _ judged: Candidate) -> (Int, Int, Int) {
        let left = wanted.record.durationMs ?? 0
        return (-judged.comparison.likelihood, abs(left - (judged.song.record.durationMs ?? left)), index)
    }

    func nearest(_ count: Int) -> [CopyCandidate] {
        all.enumerated().sorted { order($0.offset, $0.element) < order($1.offset, $1.element) }
            .prefix(count).map(\.element.song)
    }
}
