import Catalog
import Contracts
import Gateway
import Model

extension Problem {
    /// - Parameter again: whether it was connected before.
    static func notConnected(to source: MusicSource, again: Bool) -> Problem {
        let (code, detail): (ProblemCode, String)
        let word = again ? "again " : ""
        switch source {
        case .spotify:
            code = .spotifyNotConnected
            detail =
                "Searches, top lists and pages of music outside your library come from Spotify. Connect it "
                + "\(word)at /setup/spotify (POST /v1/setup/spotify/authorize). Your own library, and artists whose "
                + "names you type, work without it."
        case .appleMusic:
            code = .appleMusicNotConnected
            detail =
                "Apple Music's catalog depends on the country of your account. Connect Apple Music \(word)at "
                + "/setup/apple-music (PUT /v1/setup/apple-music). Your own library works without it."
        case .file:
            code = .notFound
            detail = "Files have no catalog."
        }
        let name = source.displayName
        return recovering(
            .reconnect,
            Problem(
                .conflict, code: code,
                title: again ? "\(name) has to be connected again" : "\(name) is not connected", detail: detail))
    }

    static func scopeMissing(_ scopes: [String]) -> Problem {
        recovering(
            .askScope,
            Problem(
                .conflict, code: .scopeMissing, title: "Spotify needs another permission",
                detail: "Spotify was connected without \(scopes.permissionWords). Connect Spotify again at "
                    + "/setup/spotify (POST /v1/setup/spotify/authorize) to grant it."))
    }

    /// The problem for a question that a worker could not get answered.
    init(_ trouble: CatalogResult.Trouble, of source: MusicSource) {
        let recovery = Recovery(rawValue: trouble.recovery)
        let mayPass = recovery == .retryAt
        self.init(
            mayPass ? .serviceUnavailable : .conflict,
            code: ProblemCode(reported: trouble.code, among: ProblemCode.catalog),
            title: source.displayName + (mayPass ? " cannot answer at present" : " does not answer this"),
            detail: trouble.detail, retryAfter: mayPass ? trouble.retryAfter ?? 5 : nil)
        self.recovery = recovery?.rawValue
    }

    static func catalogNotAnswered(by source: MusicSource) -> Problem {
        recovering(
            .retryAt,
            Problem(
                .serviceUnavailable, code: .noVerdict, title: "\(source.displayName) could not be asked in time",
                detail: "No worker answered in time. Try again in a moment. If this continues, check that a "
                    + "sync-worker is running.", retryAfter: 5))
    }

    static let questionSuperseded = recovering(
        .tellUser,
        .conflict(
            code: .superseded,
            "The screen that sent this request has since asked for something else, so this was not answered."))
}
