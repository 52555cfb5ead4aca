import Concerts
import Connections
import ConnectionsHTTP
import AccountsHTTP
import Curation
import Jobs
import LibraryHTTP
import Messaging
import Model
import Pictures
import Settings

/// The configuration of the domains.
package struct DomainSettings: Sendable {
    let messages: MessageRouter
    /// The sections of the domains.
    let sections: SettingsSections
    package var jobs = JobSettings()
    package var schedules: [RecurringSchedule] = []
    /// The built-in names of cities, and those of the administrator's file.
    package var cityNames = CityNames.builtIn
    /// The hosts from which pages may play previews.
    package let previewHosts: MediaHosts
    /// `http.publicURL`.
    package var publicURL: String?
    /// `nil` where Spotify cannot be connected.
    package var spotify: SpotifyAuthorizations?
    /// How people sign in with Apple; `nil` where the installation has no developer key for Apple Music, so that
    /// people need one of their own.
    package var appleMusic: AppleMusicSignIn?
    /// `nil` where sign-in with Google is off.
    package var google: GoogleSignInClient?

    /// - Parameter messages: its statistics are part of the gateway's metrics.
    package init(messages: MessageRouter, sections: SettingsSections, previewHosts: MediaHosts) {
        self.messages = messages
        self.sections = sections
        self.previewHosts = previewHosts
    }
}
