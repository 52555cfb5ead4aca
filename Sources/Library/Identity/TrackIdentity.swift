import Identity
import Model

/// The rules of which source tracks are one track, as a person wants them (docs/identity.md).
///
/// Everything that finds, joins or parts tracks asks this value.
struct TrackIdentity: Sendable {
    /// The version of the rules. Libraries of another version are brought under this one (``RegroupStage``): raise the
    /// last number when verdicts change.
    static let version = IdentityProfile.keyVersion * 1_000 + 1

    let rules: IdentityRules
    /// What the person decided about source tracks, which outranks the rules.
    let decisions: IdentityDecisions
    /// What stayed with the tracks that were split, by the track; the latest split counts.
    let staying: [Int64: Set<Listing>]

    init(rules: IdentityRules = IdentityRules(), decisions: IdentityDecisions = IdentityDecisions()) {
        self.rules = rules
        self.decisions = decisions
        staying = [:]
    }

    /// - Parameter decisions: the earliest first.
    init(rules: IdentityRules, decisions: [TrackDecision]) {
        self.rules = rules
        self.decisions = IdentityDecisions(decisions)
        var staying: [Int64: Set<Listing>] = [:]
        for decision in decisions {
            if let track = decision.splitTrack { staying[track] = Set(decision.sides.first ?? []) }
        }
        self.staying = staying
    }

    func run(_ members: [Clustering.Member]) -> Clustering.Result {
        Clustering(rules: rules).run(members, decisions: decisions)
    }
}

extension SourceTrackRow {
    /// What names the source track wherever our own keys must not matter.
    var listing: Listing { Listing(source: source, id: track.sourceID) }

    /// What the rules compare.
    var record: IdentityRecord { IdentityRecord(track, of: source) }
    var profile: IdentityProfile { IdentityProfile(record) }

    /// Whether the rules look at a value that differs.
    func differsInIdentity(from other: SourceTrackRow) -> Bool {
        record != other.record
    }
}
