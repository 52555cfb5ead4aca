import Contracts
import Model

extension Problem {
    /// - Parameter again: whether it was connected before.
    static func spotifyNotConnected(again: Bool) -> Problem {
        recovering(
            .reconnect,
            Problem(
                .conflict, code: .spotifyNotConnected,
                title: again ? "Spotify has to be connected again" : "Spotify is not connected",
                detail: "Searches, top lists and pages of music outside your library come from Spotify. Connect it "
                    + "\(again ? "again " : "")at /setup/spotify (POST /v1/setup/spotify/authorize). Your own library, "
                    + "and artists whose names you type, work without."))
    }

    static func scopeMissing(_ scopes: [String]) -> Problem {
        recovering(
            .askScope,
            Problem(
                .conflict, code: .scopeMissing, title: "Spotify needs another permission",
                detail: "Spotify was connected without \(scopes.permissionWords). Connect Spotify again at "
                    + "/setup/spotify (POST /v1/setup/spotify/authorize) to give it."))
    }

    /// Why a worker brought no answer.
    init(_ trouble: CatalogResult.Trouble) {
        let recovery = Recovery(rawValue: trouble.recovery)
        let mayPass = recovery == .retryAt
        self.init(
            mayPass ? .serviceUnavailable : .conflict, code: ProblemCode(reported: trouble.code),
            title: mayPass ? "Spotify cannot answer at present" : "Spotify does not answer this",
            detail: trouble.detail, retryAfter: mayPass ? trouble.retryAfter ?? 5 : nil)
        self.recovery = recovery?.rawValue
    }

    static let catalogNotAnswered = recovering(
        .retryAt,
        Problem(
            .serviceUnavailable, code: .noVerdict, title: "Spotify was not asked in time",
            detail: "No worker answered in time. Try again in a moment. If this continues, check that a sync-worker "
                + "runs.", retryAfter: 5))

    static let questionSuperseded = recovering(
        .tellUser,
        .conflict(
            code: .superseded,
            "The screen that asked this has asked for something else since, so that this was not answered."))

    static let noTopArtists = recovering(
        .tellUser,
        .conflict(
            code: .noTopArtists,
            "Spotify knows of no artists that you listened to most in this time, so that the list stays as it is. "
                + "Search for artists, or choose a longer time."))

    static func sourceUnsupported(_ source: MusicSource) -> Problem {
        recovering(
            .tellUser,
            Problem(
                .conflict, code: .catalogUnavailable, title: "\(source.displayName) has no pages here",
                detail: "Backline shows items of Spotify's catalog alone. Items of your own library at "
                    + "\(source.displayName) are under /v1/library."))
    }
}
