import Identity
import Testing

@Suite("Clustering records")
struct ClusteringTests {
    private func members(_ records: [(Int, String, IdentityRecord)]) -> [Clustering.Member] {
        records.map { Clustering.Member(listing: Listing(source: $0.0, id: $0.1), profile: IdentityProfile($0.2)) }
    }

    private func clusters(
        _ records: [(Int, String, IdentityRecord)], _ decisions: IdentityDecisions = IdentityDecisions()
    ) -> [[String]] {
        let members = members(records)
        return Clustering().run(members, decisions: decisions).clusters.map { $0.map { members[$0].listing.id } }
    }

    private static func rain(_ seconds: Double, album: String = "Harbor", isrc: String? = nil) -> IdentityRecord {
        IdentityRulesTests.record("Rain", album: album, seconds: seconds, isrc: isrc)
    }

    @Test("Tolerances are not transitive")
    func tolerancesAreNotTransitive() {
        let chain = [
            (1, "a", Self.rain(200, album: "A")), (2, "b", Self.rain(202, album: "B")),
            (2, "c", Self.rain(204, album: "C")),
        ]
        #expect(clusters(chain) == [["a", "b"], ["c"]])
        // Explicit and clean songs both agree with an unmarked one.
        let wording = [
            (1, "a", IdentityRulesTests.record("Rain [Explicit]")), (1, "b", IdentityRulesTests.record("Rain [Clean]")),
            (2, "c", IdentityRulesTests.record("Rain")),
        ]
        #expect(clusters(wording).count == 2)
    }

    @Test("The most certain pair is joined first: an equal code before equal names")
    func mostCertainPairFirst() {
        let records = [
            (1, "a", Self.rain(200, isrc: "GBAYE0601477")), (2, "b", Self.rain(200, isrc: "USRC17607839")),
            (2, "c", Self.rain(201, album: "Other", isrc: "GBAYE0601477")),
        ]
        // b and c come from one source and are within the tolerance, but only c has the code of a.
        #expect(clusters(records).first?.contains("c") == true)
        #expect(clusters(records.reversed()) == clusters(records))
    }

    @Test("Two codes, each on two listings of an album, are two recordings")
    func confirmedCodes() {
        let interludes = [
            (0, "a", Self.rain(200, isrc: "GBAYE0601477")), (0, "b", Self.rain(200, isrc: "GBAYE0601477")),
            (0, "c", Self.rain(206, isrc: "USRC17607839")), (0, "d", Self.rain(206, isrc: "USRC17607839")),
        ]
        #expect(clusters(interludes).count == 2)
        // With one listing each, one of the services may just have another code for the recording.
        #expect(clusters([interludes[0], interludes[2]]).count == 1)
        #expect(clusters([interludes[0], interludes[1], interludes[2]]).count == 2)
    }

    @Test("Decisions outrank the rules")
    func decisionsOutrankRules() {
        let records = [
            (1, "a", Self.rain(200)), (2, "b", Self.rain(200)), (1, "c", IdentityRulesTests.record("Fire")),
            (2, "d", IdentityRulesTests.record("Fire", "Somebody Else")),
        ]
        func listing(_ index: Int) -> Listing { Listing(source: records[index].0, id: records[index].1) }
        #expect(clusters(records) == [["a", "b"], ["c"], ["d"]])
        var decisions = IdentityDecisions()
        decisions.separate(listing(0), listing(1))
        decisions.unite(listing(2), listing(3))
        #expect(clusters(records, decisions) == [["a"], ["c", "d"], ["b"]])
        decisions.unite(listing(1), listing(0))
        decisions.separate(listing(3), listing(2))
        #expect(clusters(records, decisions) == [["a", "b"], ["c"], ["d"]])
    }

    @Test("A pair held apart stays apart when others connect it")
    func apartThroughOthers() {
        let records = [(1, "a", Self.rain(200)), (2, "b", Self.rain(200)), (3, "c", Self.rain(200))]
        var decisions = IdentityDecisions()
        decisions.separate(Listing(source: 1, id: "a"), Listing(source: 3, id: "c"))
        #expect(clusters(records, decisions) == [["a", "b"], ["c"]])
    }

    @Test("Likely duplicates are listed once for two clusters, unless a person or a rule holds them apart")
    func likelyDuplicates() {
        let records = [
            (1, "a", IdentityRulesTests.record("Rain (Radio Edit)")), (2, "b", Self.rain(200)),
            (1, "c", Self.rain(201)),
        ]
        let members = members(records)
        let questions = Clustering().run(members).questions
        #expect(questions.count == 1)
        #expect(questions.first?.comparison.verdict == .undecided)
        let names = self.members([
            (1, "a", IdentityRulesTests.record("Rain", "Reif")),
            (2, "b", IdentityRulesTests.record("Rain", "Otto Reif")),
        ])
        #expect(Clustering().run(names).questions.count == 1)
        var decisions = IdentityDecisions()
        decisions.separate(members[0].listing, members[2].listing)
        #expect(Clustering().run(members, decisions: decisions).questions.isEmpty)
    }

    @Test("Hundreds of songs by one artist, and hundreds with the same title, need few comparisons")
    func selectiveKeys() {
        let intros = (0..<500).map { IdentityProfile(IdentityRulesTests.record("Intro", "Artist\($0) of\($0)")) }
        #expect(Set(intros.flatMap(\.keys)).count == intros.flatMap(\.keys).count)
        let songs = (0..<500).map { IdentityProfile(IdentityRulesTests.record("Song number \($0)")) }
        #expect(Set(songs.flatMap(\.keys)).count == songs.flatMap(\.keys).count)
    }

    @Test("Keys are the same in every process and version")
    func stableKeys() {
        let profile = IdentityProfile(IdentityRulesTests.record("Rain on Harbors (Live)", "Nora Vale"))
        #expect(profile.keys == IdentityProfile(IdentityRulesTests.record("Rain On Harbours", "NORA VALE")).keys)
        #expect(IdentityProfile.keyVersion == 5)
    }
}
