import Accounts
import Contracts
import Foundation
import Gateway
import HTTPTypes
import Hummingbird
import Model
import Storage
import Vault

/// `/v1/auth`: signing in with Google.
struct GoogleRoutes {
    /// The page to which a browser goes if the attempt names none.
    private static let page = "/feed"
    private static let signInPage = "/sign-in"
    /// One character more than the longest ID token, so that a longer one is refused as too long.
    private static let maximumTokenLength = 8_193

    let service: GoogleService
    let credentials: CredentialCache
    let cookie: SessionCookie
    let throttle: SignInThrottle
    let site: SiteAddress
    let maximumBodyBytes: Int
    let starts: SignInStarts
    private let problems = ProblemMiddleware()

    private var browserCookie: SignInBrowserCookie { SignInBrowserCookie(isSecure: cookie.isSecure) }

    func add(to open: Router<GatewayContext>) {
        open.get("v1/auth", use: show)
        open.post("v1/auth/google", use: signIn)
        open.get("v1/auth/google/start", use: start)
        open.get("v1/auth/google/callback", use: handleCallback)
    }

    @Sendable private func show(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let startURL = service.authorizations == nil ? nil : site.url.map { $0 + "/v1/auth/google/start" }
        return .json(
            .ok,
            JSONWriter.object { json in
                json.member("google") { json in
                    json.object {
                        $0.member("available", service.client != nil)
                        $0.member("startURL", startURL)
                    }
                }
            })
    }

    // MARK: Apps

    @Sendable private func signIn(_ request: Request, _ context: GatewayContext) async throws -> Response {
        guard service.client != nil else { throw Problem.googleNotConfigured }
        let body = try await request.json(limit: maximumBodyBytes)
        let fields = try body.object(["idToken", "nonce"])
        guard let idToken = try fields["idToken"]?.string(limit: Self.maximumTokenLength), !idToken.isEmpty else {
            throw body.refuse("send the ID token that Google gave your app as idToken.")
        }
        let nonce = try fields["nonce"]?.string(limit: 500)
        let (token, user, expiresAt) = try await counted(request, context) {
            try await service.signIn(idToken: idToken, nonce: nonce)
        }
        return .json(
            .ok,
            JSONWriter.object { json in
                json.member("token", token.secret.reveal())
                json.member("expiresAt", expiresAt)
                json.member("user") { user.write(to: &$0) }
            })
    }

    /// Signs somebody in, and counts a refused attempt against their network address.
    private func counted<Value: Sendable>(
        _ request: Request, _ context: GatewayContext, _ body: () async throws -> GoogleService.Outcome<Value>
    ) async throws -> Value {
        var refusal = GoogleSignInResult.stateUnknown
        let value: Value? = try await throttle.attempt(request, context) {
            do {
                switch try await body() {
                case .signedIn(let value): return value
                case .refused(let result):
                    guard result.verdict == .refused else { throw Problem(result) }
                    refusal = result
                    return nil
                }
            } catch let error as VaultError {
                throw Problem.vaultUnavailable(VaultTrouble(error))
            } catch let error as AccountError {
                throw Problem.conflict(code: .tooManyTokens, error.description)
            }
        }
        guard let value else { throw Problem(refusal) }
        return value
    }

    // MARK: Browsers

    @Sendable private func start(_ request: Request, _ context: GatewayContext) async throws -> Response {
        var returnTo: String?
        do {
            if let path = request.parameter("returnTo") {
                guard SitePath.isPath(path), path.utf8.count <= 500 else {
                    throw Problem.invalidRequest(
                        code: .invalidParameter, "returnTo: expected a path of this site, such as /feed.",
                        field: "returnTo")
                }
                returnTo = path
            }
            return try await begin(request, context, returnTo: returnTo)
        } catch  where request.acceptsHTML {
            // A browser shows a page instead of the problem.
            return try failed(error, request, context, returnTo: returnTo)
        }
    }

    private func begin(_ request: Request, _ context: GatewayContext, returnTo: String?) async throws -> Response {
        guard let authorizations = service.authorizations, let address = site.url else {
            throw Problem.googleNotConfigured
        }
        try starts.count(request, context)
        let browser = browserCookie.browser(of: request) ?? .random()
        do {
            let url = try await service.begin(
                authorizations, browser: browser, redirectURI: address + GoogleService.callbackPath, returnTo: returnTo)
            var response = Response.redirect(to: url)
            response.setCookie(browserCookie.set(browser))
            return response
        } catch let error as VaultError {
            throw Problem.vaultUnavailable(VaultTrouble(error))
        }
    }

    // MARK: The redirect

    @Sendable private func handleCallback(_ request: Request, _ context: GatewayContext) async throws -> Response {
        var returnTo: String?
        do {
            guard let authorizations = service.authorizations else { throw Problem.googleNotConfigured }
            let attempt = try await throttle.find(request, context) {
                guard let state = request.parameter("state"), state.utf8.count <= 200,
                    let browser = browserCookie.browser(of: request)
                else { return nil as AuthorizationRecord? }
                return try await service.find(state: state, browser: browser)
            }
            guard let attempt else { throw Problem(.stateUnknown) }
            returnTo = attempt.returnTo
            guard let code = request.parameter("code"), !code.isEmpty, code.utf8.count <= 4_096 else {
                try await service.fail(attempt)
                guard request.parameter("error") == "access_denied" else { throw Problem.consentFailed }
                return Response.redirect(to: Self.signInPage + Self.query([("next", returnTo)]))
            }
            let former = cookie.session(of: request)
            let (key, session) = try await counted(request, context) {
                try await service.finish(
                    authorizations, attempt, code: code, userAgent: request.headers[.userAgent], replacing: former)
            }
            if let former { credentials.forget(former) }
            var response = Response.redirect(to: returnTo ?? Self.page)
            response.setCookie(cookie.set(key, until: session.expiresAt))
            response.setCookie(browserCookie.cleared)
            return response
        } catch {
            return try failed(error, request, context, returnTo: returnTo)
        }
    }

    /// Redirects to the sign-in page, which explains the problem's code.
    private func failed(
        _ error: any Error, _ request: Request, _ context: GatewayContext, returnTo: String?
    ) throws -> Response {
        if ProblemMiddleware.isClientGone(error) { throw error }
        let problem = problems.problem(for: error, request: request, context: context)
        return Response.redirect(
            to: Self.signInPage + Self.query([("code", problem.code.rawValue), ("next", returnTo)]))
    }

    private static func query(_ parameters: [(String, String?)]) -> String {
        let pairs = parameters.compactMap { name, value in
            value.map { "\(name)=\($0.percentEncoded)" }
        }
        return pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")
    }
}

extension Problem {
    static let googleNotConfigured = recovering(
        .fixConfiguration,
        Problem(
            .serviceUnavailable, code: .googleNotConfigured, title: "Signing in with Google is not set up here",
            detail: "This installation has no Google client, or no secret for it. Its operator has to set "
                + "google.clientIDs and google.clientSecretFile.", retryAfter: 60))

    fileprivate static let consentFailed = Problem(
        .unauthorized, code: .consentFailed, title: "Google did not confirm who you are",
        detail: "Google sent the browser back without an authorization code. Try again.")

    /// The problem for an attempt that did not sign anybody in.
    init(_ result: GoogleSignInResult) {
        let isRefused = result.verdict == .refused
        let code = result.code ?? .noVerdict
        self.init(
            isRefused ? .unauthorized : .serviceUnavailable,
            code: ProblemCode(reported: code.rawValue, among: ProblemCode.accounts),
            title: isRefused ? "You were not signed in" : "The sign-in could not be verified with Google",
            detail: result.detail ?? "Try again.", retryAfter: isRefused ? nil : result.retryAfter ?? 10)
        if !isRefused { recovery = (code.isMisconfiguration ? Recovery.fixConfiguration : .retryAt).rawValue }
    }
}
