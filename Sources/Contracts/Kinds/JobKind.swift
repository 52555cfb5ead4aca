import Model

/// A kind of job with the rules that the engine and the database apply to it. ``TypedJobKind`` adds the types of its
/// payload and result.
package struct JobKind: Sendable, Hashable {
    /// Who may submit jobs of a kind.
    package enum Submitter: Sendable, Hashable {
        /// Any user, through `POST /v1/jobs`.
        case user
        /// Only Backline itself, on behalf of a domain.
        case system
    }

    /// `domain.verb`, as the API and the database write it.
    package let name: String
    /// The version of the payload that this program writes, from 1. A job with a version that no worker knows waits
    /// for a worker that does.
    package let version: Int
    package let submitter: Submitter
    /// The longest time of a run to its end, or from one checkpoint to the next.
    package let maximumRunTime: Duration
    /// The longest time of all runs together, excluding waits; `nil` sets no limit.
    package let maximumTotalTime: Duration?
    /// The most attempts before a job becomes a dead letter; `nil` means the configured number.
    package let maximumAttempts: Int?
    /// The providers that the owner has to have connected.
    package let needs: [Need]
    /// How long a job's row is retained after its end; `nil` means the configured time.
    package let retention: Duration?
    /// Whether jobs are ephemeral: they answer a screen, appear in no list, and are deleted minutes after their end.
    /// Only Backline itself submits them, since nobody else could see their results.
    package let isEphemeral: Bool
    /// How many jobs may run at once; `nil` sets no limit.
    package let maximumRunning: Int?
    /// How many jobs may run at once for one person; `nil` sets no limit.
    package let maximumRunningPerUser: Int?

    /// A provider that the owner has to have connected, with the scopes to grant.
    package struct Need: Sendable, Hashable {
        package let provider: Provider
        package let scopes: [String]

        package init(_ provider: Provider, scopes: [String] = []) {
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
    /// The scopes that the owner has to grant at a provider.
    package func scopes(at provider: Provider) -> [String] {
        needs.filter { $0.provider == provider }.flatMap(\.scopes)
    }
}
