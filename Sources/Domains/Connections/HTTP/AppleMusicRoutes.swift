import Connections
import Contracts
import Gateway
import HTTPTypes
import Hummingbird
import Jobs
import Model

/// `/v1/setup/apple-music/sign-in`: what a page needs to sign a person in with Apple.
struct AppleMusicRoutes {
    let queue: JobQueue
    /// `nil` where the installation has no developer key.
    let signIn: AppleMusicSignIn?
    let site: SiteAddress
    let origin: SiteOrigin

    func add(to group: RouterGroup<GatewayContext>) {
        group.post("setup/apple-music/sign-in", use: begin)
    }

    @Sendable private func begin(_ request: Request, _ context: GatewayContext) async throws -> Response {
        guard let signIn else { throw Problem.appleMusicNotConfigured }
        let (token, expiresAt) = try await token(for: request, userID: try context.userID)
        return .json(
            .ok,
            JSONWriter.object { json in
                json.member("developerToken", token)
                json.member("expiresAt", expiresAt)
                json.member("scriptURL", signIn.scriptURL)
            })
    }

    /// Has a worker sign a token for the pages of this site, at the address at which the browser has opened it.
    func token(for request: Request, userID: String) async throws -> (token: String, expiresAt: Timestamp) {
        let own = origin.isOrigin(of: request) == true ? request.headers[.origin]?.lowercased() : nil
        guard let address = own ?? site.url else { throw Problem.signInNotReady }
        let result: AppleMusicPageTokenResult
        do {
            result = try await queue.run(
                .setupAppleMusicPageToken, AppleMusicPageTokenPayload(origin: address), for: userID,
                within: JobQueue.upstreamAnswerTimeout)
        } catch is JobWaitError {
            throw Problem.signInNotReady
        }
        guard let token = result.token, let expiresAt = result.expiresAt else {
            throw Problem.appleMusicKeyUnusable(result.detail)
        }
        return (token, Timestamp(microseconds: expiresAt * 1_000_000))
    }
}

/// How people sign in with Apple: with its MusicKit on the Web, which runs on the page of the step.
package struct AppleMusicSignIn: Sendable, Equatable {
    /// The address of Apple's script.
    let scriptURL: String
    /// The origins that the script calls.
    let origins: [String]

    package init(scriptURL: String, origins: [String]) {
        self.scriptURL = scriptURL
        self.origins = origins
    }

    /// The permissions of the page to load more than the site's own files.
    var policy: PagePolicy {
        PagePolicy(scripts: [Self.origin(of: scriptURL)], connections: origins, frames: origins)
    }

    /// The origin of a script, from which it loads further scripts.
    private static func origin(of url: String) -> String {
        url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
    }
}

extension Problem {
    static let appleMusicNotConfigured = recovering(
        .fixConfiguration,
        Problem(
            .serviceUnavailable, code: .appleMusicNotConfigured, title: "Signing in with Apple is not set up here",
            detail: "This installation has no Apple developer key. Enter a key and a token of your own, or ask its "
                + "operator to set appleMusic.teamID, appleMusic.keyID and appleMusic.privateKeyFile."))

    static func appleMusicKeyUnusable(_ detail: String?) -> Problem {
        var problem = appleMusicNotConfigured
        problem.detail = detail ?? problem.detail
        return problem
    }

    static let signInNotReady = recovering(
        .retryAt,
        Problem(
            .serviceUnavailable, code: .noVerdict, title: "Signing in with Apple is not ready",
            detail: "No worker answered in time. Try again in a moment. If this continues, check that a sync-worker "
                + "is running.", retryAfter: 5))
}
