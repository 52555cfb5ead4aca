import Contracts
import JobStorage
import Model

extension TypedJobKind where Payload == NoPayload, Result == ReleasesReadResult {
    /// Reads the albums of a person's artists that nobody has read today. It runs on the person's schedule, and uses
    /// the person's connections.
    package static var releasesRead: Self {
        Self(
            JobKind(
                name: "releases.read", version: 1, submitter: .system,
                // The time for one artist at one service, whose calls wait for those of people.
                maximumRunTime: .seconds(1_800), maximumRunning: 4,
                maximumRunningPerUser: 1))
    }
}

/// The result of `releases.read`.
package struct ReleasesReadResult: Codable, Sendable, Equatable {
    /// How many artists were read at a service; an artist counts once for each.
    package var artists: Int
    /// How many releases became known that were not known before, whether or not they are news.
    package var releases: Int
    /// The kinds of the failures that ended the reading at a service, by service.
    package var failures: [String: String]

    package init(artists: Int, releases: Int, failures: [String: String] = [:]) {
        self.artists = artists
        self.releases = releases
        self.failures = failures
    }
}

/// The state of a run of `releases.read`. Which artists were read is in the table of readings.
package struct ReleaseRunState: CheckpointState, Equatable {
    /// How many artists were read, as in the result.
    var artists = 0
    var releases = 0

    package init() {}

    package var workDone: Int { artists }
}
