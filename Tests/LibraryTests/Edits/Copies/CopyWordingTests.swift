import Identity
import Model
import Testing

@testable import LibraryEdits

@Suite("Explicit and clean versions of copied songs")
struct CopyWordingTests {
    private static func candidate(_ id: String, _ isExplicit: Bool?, of source: MusicSource) -> CopyCandidate {
        CopyCandidate(
            id: id,
            record: IdentityRecord(
                title: "Glow", artist: "Nora Vale", album: "Harbor", durationMs: 181_000, isExplicit: isExplicit,
                isClean: source.isClean(isExplicit)))
    }

    private func found(
        _ isExplicit: Bool?, of source: MusicSource, among candidates: [CopyCandidate]
    ) async throws -> String? {
        let matcher = CopyMatcher(
            rules: IdentityRules(),
            catalog: CopyCatalog(
                codesPerCall: 1, withCodes: { _ in [] }, search: { _, offset in offset == 0 ? candidates : [] }))
        let wanted = IdentityProfile(Self.candidate("wanted", isExplicit, of: source).record)
        return try await matcher.match(wanted, [:]).found?.id
    }

    @Test("A candidate that is explicit if the song is, or clean if the song is, wins in any order of the catalog")
    func sameWording() async throws {
        let apple = [
            Self.candidate("clean", false, of: .appleMusic), Self.candidate("explicit", true, of: .appleMusic),
            Self.candidate("unrated", nil, of: .appleMusic),
        ]
        let spotify = [Self.candidate("explicit", true, of: .spotify), Self.candidate("other", false, of: .spotify)]
        for isReversed in [false, true] {
            func order(_ candidates: [CopyCandidate]) -> [CopyCandidate] {
                isReversed ? candidates.reversed() : candidates
            }
            #expect(try await found(true, of: .spotify, among: order(apple)) == "explicit")
            // Spotify does not say that these are clean.
            #expect(try await found(false, of: .spotify, among: order(apple)) == "unrated")
            #expect(try await found(false, of: .appleMusic, among: order(apple)) == "clean")
            #expect(try await found(nil, of: .appleMusic, among: order(apple)) == "unrated")
            #expect(try await found(true, of: .appleMusic, among: order(spotify)) == "explicit")
            #expect(try await found(false, of: .appleMusic, among: order(spotify)) == "other")
            #expect(try await found(nil, of: .appleMusic, among: order(spotify)) == "other")
        }
    }

    @Test("A version that is known to differ is never taken; an unrated one matches either")
    func otherWording() async throws {
        let clean = [Self.candidate("clean", false, of: .appleMusic)]
        let unrated = [Self.candidate("unrated", nil, of: .appleMusic)]
        let explicit = [Self.candidate("explicit", true, of: .spotify)]
        #expect(try await found(true, of: .spotify, among: clean) == nil)
        #expect(try await found(true, of: .spotify, among: unrated) == "unrated")
        #expect(try await found(false, of: .appleMusic, among: explicit) == nil)
        #expect(try await found(false, of: .spotify, among: explicit) == "explicit")
    }
}
