import Concerts
import Connections
import Jobs
import Messaging

extension GatewayDomain {
    /// Every domain of the gateway. Whoever adds one names it here.
    package static func all(_ services: GatewayServices, _ settings: DomainSettings) -> [GatewayDomain] {
        [
            .site,
            .operations(services, messages: settings.messages),
            .accounts(services, google: settings.google),
            .jobs(services, retention: settings.jobs.retention, schedules: settings.schedules),
            .concerts(
                services, freshness: settings.concertFreshness, cityNames: settings.cityNames,
                retention: settings.jobs.retention, artistRetention: settings.artistRetention),
            .setup(services, cityNames: settings.cityNames, spotify: settings.spotify),
        ]
    }
}

/// What the domains are configured with.
package struct DomainSettings: Sendable {
    let messages: MessageRouter
    package var jobs = JobSettings()
    package var schedules: [RecurringSchedule] = []
    /// How long an answer about concerts is served without asking the upstream again.
    package var concertFreshness = Duration.seconds(86_400)
    /// How long an artist is kept that nobody asks for any more.
    package var artistRetention = Duration.seconds(90 * 86_400)
    package var cityNames = CityNames.builtIn
    /// `nil`: nobody can connect Spotify.
    package var spotify: SpotifyAuthorizations?
    /// `nil`: nobody signs in with Google.
    package var google: GoogleSignInClient?

    /// - Parameter messages: whose statistics are among the gateway's metrics.
    package init(messages: MessageRouter) {
        self.messages = messages
    }
}
