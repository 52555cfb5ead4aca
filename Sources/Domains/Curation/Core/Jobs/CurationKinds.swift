import Contracts
import Model

extension TypedJobKind where Payload == CurationMakePayload, Result == CurationMakeResult {
    /// Makes a list of songs for a person: asks a model, looks up the songs it names, checks the list.
    ///
    /// The routes of `/v1/ai` submit it.
    package static var curationMake: Self {
        Self(
            JobKind(
                name: "curation.make", version: 1, submitter: .system,
                // The time from one reply to the next: one of the administrator's models may take five minutes, twice.
                maximumRunTime: .seconds(660), maximumRunningPerUser: 2))
    }
}

extension TypedJobKind where Payload == NoPayload, Result == CurationMakeResult {
    /// Makes recommendations for a person, on their schedule.
    package static var curationRecommend: Self {
        Self(
            JobKind(
                name: "curation.recommend", version: 1, submitter: .system, maximumRunTime: .seconds(660),
                maximumRunningPerUser: 1))
    }
}

/// The payload of `curation.make`, version 1.
package struct CurationMakePayload: Codable, Sendable, Equatable {
    /// The id of the list, whose row contains the request.
    package var list: String

    package init(list: String) {
        self.list = list
    }
}

/// The result of `curation.make`.
package struct CurationMakeResult: Codable, Sendable, Equatable {
    /// How many songs the list has; 0 when the list was deleted in the meantime.
    package var tracks: Int

    package init(tracks: Int) {
        self.tracks = tracks
    }
}
