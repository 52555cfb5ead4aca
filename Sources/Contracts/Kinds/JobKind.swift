import Model

/// A kind of work and what may be said about it before a worker sees it: what the engine and the database go by. What
/// goes in and what comes out is declared with ``TypedJobKind``.
package struct JobKind: Sendable, Hashable {
    /// Who may put a job of this kind into the queue.
    package enum Submitter: Sendable, Hashable {
        /// Any user, through `POST /v1/jobs`.
        case user
        /// Only Backline itself, on behalf of a domain.
        case system
    }

    /// `domain.verb`, as the API and the database write it.
    package let name: String
    /// The version of the payload that this program writes, from 1. A job of a version that no
    /// worker knows waits for one that does.
    package let version: Int
    package let submitter: Submitter
    /// The longest time that a run may take to its end, or from one checkpoint to the next.
    package let maximumRunTime: Duration
    /// The longest time that all runs together may take, waiting not counted; `nil` sets no limit.
    package let maximumTotalTime: Duration?
    /// The most attempts before it becomes a dead letter; `nil` is what the configuration says.
    package let maximumAttempts: Int?
    /// What its person has to have connected.
    package let needs: [Need]
    /// How long its row is kept after the end; `nil` is what the configuration says.
    package let retention: Duration?
    /// Whether somebody waits for it on a screen: it stands in no list, and is gone minutes after its end. Only
    /// Backline itself submits such jobs, since nobody else could see what came of them.
    package let isEphemeral: Bool
    /// How many of it may run at once, for everybody and for one person; `nil` sets no limit.
    package let maximumRunning: Int?
    package let maximumRunningPerUser: Int?

    /// A connection to a service that has to stand, with what its person has to have granted.
    package struct Need: Sendable, Hashable {
        package let provider: CredentialProvider
        package let scopes: [String]

        package init(_ provider: CredentialProvider, scopes: [String] = []) {
            self.provider = provider
            self.scopes = scopes
        }
    }

    package init(
        name: String, version: Int, submitter: Submitter, maximumRunTime: Duration,
        maximumTotalTime: Duration? = nil, maximumAttempts: Int? = nil, needs: [Need] = [],
        retention: Duration? = nil, isEphemeral: Bool = false, maximumRunning: Int? = nil,
        maximumRunningPerUser: Int? = nil
    ) {
        self.name = name
        self.version = version
        self.submitter = submitter
        self.maximumRunTime = maximumRunTime
        self.maximumTotalTime = maximumTotalTime
        self.maximumAttempts = maximumAttempts
        self.needs = needs
        self.retention = retention
        self.isEphemeral = isEphemeral
        self.maximumRunning = maximumRunning
        self.maximumRunningPerUser = maximumRunningPerUser
    }
}

extension JobKind {
    /// Every kind this version of Backline writes. A domain declares its own beside their payloads and adds them here.
    package static let all: [JobKind] = diagnostics + concerts + setup + spotify + accounts

    package static func named(_ name: String) -> JobKind? {
        all.first { $0.name == name }
    }

    /// How many of the jobs that are counted by kind and state are dead letters: those that failed, the ephemeral ones
    /// left out, which stand in no list.
    package static func deadLetters(among counts: [String: [JobState: Int]], kinds: [JobKind] = all) -> Int {
        let ephemeral = Set(kinds.lazy.filter(\.isEphemeral).map(\.name))
        return counts.reduce(0) { $0 + (ephemeral.contains($1.key) ? 0 : $1.value[.failed] ?? 0) }
    }

    /// The scopes that its person has to have granted at a provider.
    package func scopes(at provider: CredentialProvider) -> [String] {
        needs.filter { $0.provider == provider }.flatMap(\.scopes)
    }
}
