import Identity
import Library
import Model

/// The rules that decide which source tracks are one track, with a user's settings and decisions (docs/identity.md).
///
/// Everything that assigns, merges or splits tracks uses this type.
struct TrackIdentity: Sendable {
    /// The version of the rules. Libraries of another version are regrouped (``RegroupStage``): increase the last
    /// number when verdicts change.
    static let version = IdentityProfile.keyVersion * 1_000 + 1

    let rules: IdentityRules
    /// The user's decisions about source tracks, which take precedence over the rules.
    let decisions: IdentityDecisions
    /// The source tracks that stayed with each track that was split, according to its latest split.
    let staying: [Int64: Set<Listing>]

    init(rules: IdentityRules = IdentityRules(), decisions: IdentityDecisions = IdentityDecisions()) {
        self.rules = rules
        self.decisions = decisions
        staying = [:]
    }

    /// - Parameter decisions: the decisions, earliest first.
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
    /// Whether any value differs that the identity rules compare.
    func differsInIdentity(from other: SourceTrackRow) -> Bool {
        record != other.record
    }
}

extension IdentityDecisions {
    /// - Parameter decisions: the decisions, earliest first. If two of them concern the same pair, the later one
    ///   counts.
    init(_ decisions: [TrackDecision]) {
        self.init()
        for decision in decisions {
            if decision.holdsSides {
                for side in decision.sides {
                    for (index, one) in side.enumerated() {
                        for other in side[..<index] { unite(one, other) }
                    }
                }
            }
            for (index, side) in decision.sides.enumerated() {
                for one in side {
                    for other in decision.sides[..<index].joined() { separate(one, other) }
                }
            }
        }
    }
}
