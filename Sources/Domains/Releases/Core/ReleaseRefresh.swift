import Model

/// How far the artists of a person were read.
package struct ReleaseRefresh: Sendable, Equatable {
    /// The raw values are stored.
    package enum State: String, Sendable {
        /// The job has not begun.
        case waiting
        case running
        case done
        /// No service could be asked.
        case failed
    }

    package let state: State
    /// How many times the person has asked for it, by what they did.
    package let asked: Int64
    package let done: Int
    /// The number of artists; 0 before the job has begun.
    package let total: Int
    package let begunAt: Timestamp
    package let endedAt: Timestamp?
    /// Why services were not asked about all artists.
    package let troubles: [ReleaseTrouble]
}

/// Why a service was not asked about a person's artists.
package struct ReleaseTrouble: Codable, Sendable, Equatable {
    package let source: MusicSource
    /// The raw value of a kind of ``ProviderFailure``.
    package let code: String
    /// A text for people that says what happened and what to do.
    package let detail: String
    /// The raw value of a ``Recovery``.
    package let recovery: String
    /// When it makes sense to try again.
    package let until: Timestamp?

    init(_ failure: ProviderFailure, at source: MusicSource) {
        self.source = source
        code = failure.kind.rawValue
        detail = failure.message
        recovery = failure.recovery.rawValue
        until = failure.until
    }

    /// Whether the person has not connected the service.
    package var isUnconnected: Bool {
        code == ProviderFailure.Kind.connectionNeeded.rawValue
            || code == ProviderFailure.Kind.credentialMissing.rawValue
    }

    /// Whether trying again later helps.
    var isTemporary: Bool { recovery == Recovery.retryAt.rawValue }
}
