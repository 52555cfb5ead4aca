import Identity
import TestSupport
import Testing

/// A library that clusters only the records that a change may affect.
private struct IncrementalLibrary {
    private var profiles: [Listing: IdentityProfile] = [:]
    private(set) var decisions = IdentityDecisions()
    /// The songs, as sets of listings.
    private(set) var songs: Set<Set<Listing>> = []

    mutating func set(_ record: IdentityRecord?, for listing: Listing) {
        let former = profiles[listing]
        profiles[listing] = record.map { IdentityProfile($0) }
        var affected = AffectedRecords(decisions: decisions)
        if let former { affected.addFormer(listing, keys: former.keys, isrc: former.isrc) }
        update(&affected, changed: [listing])
    }

    mutating func decide(_ change: (inout IdentityDecisions) -> Void, _ listings: [Listing]) {
        change(&decisions)
        var affected = AffectedRecords(decisions: decisions)
        update(&affected, changed: listings)
    }

    private mutating func update(_ affected: inout AffectedRecords, changed: [Listing]) {
        for listing in changed {
            if let profile = profiles[listing] { affected.add(.init(listing: listing, profile: profile)) }
        }
        while let lookup = affected.next() {
            for (listing, profile) in profiles {
                let isFound =
                    profile.keys.contains { lookup.keys.contains($0) }
                    || profile.isrc.map { lookup.isrcs.contains($0) } == true || lookup.listings.contains(listing)
                if isFound { affected.add(.init(listing: listing, profile: profile)) }
            }
        }
        let touched = Set(affected.members.map(\.listing)).union(changed)
        songs = songs.filter { $0.isDisjoint(with: touched) }
        for cluster in Clustering().run(affected.members, decisions: decisions).clusters {
            songs.insert(Set(cluster.map { affected.members[$0].listing }))
        }
    }

    /// The songs that a full run finds, with the members in random order.
    func songsOfFullRun(using random: inout SeededRandom) -> Set<Set<Listing>> {
        let members = profiles.map { Clustering.Member(listing: $0.key, profile: $0.value) }.shuffled(using: &random)
        let result = Clustering().run(members, decisions: decisions)
        return Set(result.clusters.map { Set($0.map { members[$0].listing }) })
    }

    /// Pairs in one song that the rules consider different although nobody holds them together.
    func contradictions() -> [String] {
        var found: [String] = []
        for song in songs {
            let listings = song.sorted()
            for (index, one) in listings.enumerated() {
                for other in listings[(index + 1)...] {
                    guard let left = profiles[one], let right = profiles[other] else { continue }
                    let comparison = IdentityRules().compare(left, right, isOneSource: one.source == other.source)
                    if comparison.verdict == .different || decisions.apart.contains(.init(one, other)) {
                        found.append("\(left.record) \(right.record)")
                    }
                }
            }
        }
        return found
    }
}

@Suite("Clusters over histories")
struct ClusteringHistoryTests {
    private static func randomRecord(using random: inout SeededRandom) -> IdentityRecord {
        let titles = [
            "Rain", "Rain", "Rain (Live)", "Rain - Remastered 2011", "Rain [Explicit]", "Rain [Clean]", "Harbor Lights",
            "Harbour Lights", "Harbor Lights (Radio Edit)", "Звезда", "Zvezda", "Интро", "Rain (Lumen Remix)",
            "Rain, Pt. 2", "Rain (ライブバージョン)", "Rain: II. Harbor", "Rain 2", "Rain 3",
        ]
        return IdentityRecord(
            title: titles.randomElement(using: &random) ?? "",
            artist: ["Nora Vale", "Nora Vale & Ada", "Ada", "Nora Vale feat. Ada"].randomElement(using: &random) ?? "",
            album: ["Harbor", "Harbor (Deluxe)", "Best of", ""].randomElement(using: &random) ?? "",
            durationMs: Int.random(in: 0..<8, using: &random) == 0
                ? nil : 200_000 + Int.random(in: 0..<12, using: &random) * 900,
            isrc: ["GBAYE0601477", "USRC17607839", "FRZ039800212", nil, nil].randomElement(using: &random) ?? nil)
    }

    @Test(
        "Incremental runs match a full run, no song has a contradiction, and the order of arrival does not matter")
    func incrementalEqualsFull() {
        for seed in 1...12 {
            var random = SeededRandom(seed: UInt64(seed))
            let listings = (0..<24).map { Listing(source: $0 % 2 + 1, id: "\($0)") }
            var library = IncrementalLibrary()
            var final: [Listing: IdentityRecord] = [:]
            for _ in 0..<40 {
                let listing = listings.randomElement(using: &random) ?? listings[0]
                let other = listings.randomElement(using: &random) ?? listings[0]
                switch Int.random(in: 0..<10, using: &random) {
                case 0:
                    final[listing] = nil
                    library.set(nil, for: listing)
                case 1: library.decide({ $0.separate(listing, other) }, [listing, other])
                default:
                    let record = Self.randomRecord(using: &random)
                    final[listing] = record
                    library.set(record, for: listing)
                }
                #expect(library.songs == library.songsOfFullRun(using: &random), "seed \(seed)")
                #expect(library.contradictions() == [], "seed \(seed)")
            }
            let held = listings.shuffled(using: &random).prefix(2)
            library.decide({ $0.unite(held[0], held[1]) }, Array(held))
            #expect(library.songs == library.songsOfFullRun(using: &random), "seed \(seed)")

            var another = IncrementalLibrary()
            another.decide({ $0 = library.decisions }, [])
            for (listing, record) in final.shuffled(using: &random) { another.set(record, for: listing) }
            #expect(another.songs == library.songs, "seed \(seed)")
            // A second sync of the same records.
            for (listing, record) in final { another.set(record, for: listing) }
            #expect(another.songs == library.songs, "seed \(seed)")
        }
    }

    @Test("Records that may be one song share a key or a code")
    func candidatesShareKeys() {
        var random = SeededRandom(seed: 7)
        for _ in 0..<4_000 {
            let (one, other) = (
                IdentityProfile(Self.randomRecord(using: &random)), IdentityProfile(Self.randomRecord(using: &random))
            )
            guard IdentityRules().compare(one, other).verdict == .same else { continue }
            #expect(
                !Set(one.keys).isDisjoint(with: other.keys) || one.isrc == other.isrc && one.isrc != nil,
                "\(one.record) \(other.record)")
        }
    }
}
