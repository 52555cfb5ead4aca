/// A kind of work and what may be said about it before a worker sees it.
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
    /// Whether somebody waits for it on a screen: it stands in no list, and is gone minutes after its end.
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
    /// Gives its payload back, after `sleepMs` if that is set. Every worker answers it: operators
    /// see with it that the queue is alive, benchmarks load it.
    package static let diagnosticsEcho = JobKind(
        name: "diagnostics.echo", version: 1, submitter: .user, maximumRunTime: .seconds(900))

    /// Looks up the concerts of one or more artists at Ticketmaster, for everybody who waits for them.
    package static let concertsLookup = JobKind(
        name: "concerts.lookup", version: 1, submitter: .system, maximumRunTime: .seconds(180))

    /// Looks up the concerts around a city at Ticketmaster.
    package static let concertsNearby = JobKind(
        name: "concerts.nearby", version: 1, submitter: .system, maximumRunTime: .seconds(180))

    /// Exchanges the code of an attempt to connect Spotify. Whoever waits for it gives up after fifteen seconds and
    /// deletes the attempt; a job that ends later connects nothing.
    package static let spotifyAuthorize = JobKind(
        name: "spotify.authorize", version: 1, submitter: .system, maximumRunTime: .seconds(60))

    /// Reads whose Spotify account is connected.
    package static let spotifyProfile = JobKind(
        name: "spotify.profile", version: 1, submitter: .user, maximumRunTime: .seconds(180))

    /// Proves an API key of Gemini that a person entered.
    package static let setupVerifyGemini = JobKind(
        name: "setup.verifyGemini", version: 1, submitter: .system, maximumRunTime: .seconds(60))

    /// Proves an API key of Ticketmaster that a person entered.
    package static let setupVerifyTicketmaster = JobKind(
        name: "setup.verifyTicketmaster", version: 1, submitter: .system, maximumRunTime: .seconds(60))

    /// Proves the keys and tokens of Apple Music that a person entered.
    package static let setupVerifyAppleMusic = JobKind(
        name: "setup.verifyAppleMusic", version: 1, submitter: .system, maximumRunTime: .seconds(60))

    /// Finds out who wants to sign in with Google. Somebody waits for it.
    package static let accountsGoogleSignIn = JobKind(
        name: "accounts.googleSignIn", version: 1, submitter: .system, maximumRunTime: .seconds(60))

    /// Reads where Google's sign-in page is.
    package static let accountsGoogleEndpoints = JobKind(
        name: "accounts.googleEndpoints", version: 1, submitter: .system, maximumRunTime: .seconds(60))

    /// Every kind this version of Backline writes.
    package static let all: [JobKind] = [
        .diagnosticsEcho, .concertsLookup, .concertsNearby,
        .setupVerifyGemini, .setupVerifyTicketmaster, .setupVerifyAppleMusic,
        .spotifyAuthorize, .spotifyProfile, .accountsGoogleSignIn, .accountsGoogleEndpoints,
    ]

    package static func named(_ name: String) -> JobKind? {
        all.first { $0.name == name }
    }
}
