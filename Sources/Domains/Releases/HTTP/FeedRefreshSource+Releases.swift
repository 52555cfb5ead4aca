import Gateway
import HTTPTypes
import Model
import Releases
import Storage

extension FeedRefreshSource {
    /// How far the artists of a person were read, and which services could not be asked about them.
    static let releases = FeedRefreshSource("releases") { reader, userID in
        guard let refresh = try reader.releases.refresh(ofUser: userID) else { return FeedRefresh() }
        return FeedRefresh(parts: refresh.part(at: .now()).map { [$0] } ?? [], missing: refresh.problems)
    }
}

extension ReleaseRefresh {
    /// How long the feed shows that it has ended.
    private static let shownFor = Duration.seconds(86_400)

    /// - Returns: `nil` for one that ended long ago.
    fileprivate func part(at now: Timestamp) -> FeedRefreshPart? {
        if let endedAt, endedAt.advanced(by: Self.shownFor) <= now { return nil }
        let shown: FeedRefreshPart.State =
            switch state {
            case .waiting: .waiting
            case .running: .running
            case .done: .done
            case .failed: .failed
            }
        // Without artists, or before they are counted, there is nothing to count.
        return FeedRefreshPart("releases", shown, done: total > 0 ? done : nil, total: total > 0 ? total : nil)
    }

    /// Why releases may be missing, and what to do. One service is enough for an artist, so that a service that is not
    /// connected lacks nothing while another one answers.
    fileprivate var problems: [Problem] {
        guard state == .done || state == .failed else { return [] }
        if state == .failed, !troubles.isEmpty, troubles.allSatisfy(\.isUnconnected) { return [.noReleaseService] }
        return troubles.filter { !$0.isUnconnected }.map { Problem($0) }
    }
}

extension Problem {
    /// Nobody can be asked for the person. The code says what to connect, so that pages make links of their own.
    fileprivate static let noReleaseService = recovering(
        .reconnect,
        Problem(
            .conflict, code: .releaseServiceMissing, title: "New releases need a music service",
            detail: "Connect Spotify or Apple Music to see new releases. Backline then looks for new releases of your "
                + "artists every day."))

    /// A service that could not be asked.
    fileprivate init(_ trouble: ReleaseTrouble) {
        let recovery = Recovery(rawValue: trouble.recovery)
        let mayPass = recovery == .retryAt
        let detail =
            mayPass
            ? trouble.detail + " Backline tries again by itself; releases may be missing until then." : trouble.detail
        self.init(
            mayPass ? .serviceUnavailable : .conflict,
            code: ProblemCode(reported: trouble.code, among: ProblemCode.releases),
            title: "New releases at \(trouble.source.displayName) may be missing", detail: detail)
        self.recovery = recovery?.rawValue
    }
}
