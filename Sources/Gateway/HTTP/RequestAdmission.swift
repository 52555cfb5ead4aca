import Accounts
import HTTPTypes
import Hummingbird
import Model
import NIOCore

/// Checks every request before anything of it is handled: who makes it, the limit of requests, and the memory for its
/// body.
///
/// The credential is in the header, so nothing of the body is read for somebody unknown, except by the routes that sign
/// people in, which need a few KiB of it.
package struct RequestAdmission: Sendable {
    private let credentials: CredentialCache
    private let cookie: SessionCookie
    /// `nil` sets no limit.
    private let limits: RequestLimits?
    private let bodies: BodyBudget
    private let proxies: TrustedProxies

    init(
        credentials: CredentialCache, cookie: SessionCookie, limits: RequestLimits?, bodies: BodyBudget,
        proxies: TrustedProxies
    ) {
        (self.credentials, self.cookie, self.limits) = (credentials, cookie, limits)
        (self.bodies, self.proxies) = (bodies, proxies)
    }

    /// Who makes a request, by its API token or session cookie.
    package func identity(of request: Request) async throws -> RequestIdentity {
        if let header = request.headers[.authorization] {
            guard let token = APIToken(header: header, schemes: ["bearer"]) else { return .none }
            return try await identity(of: token)
        }
        guard let session = cookie.session(of: request) else { return .none }
        return try await credentials.holder(of: session).map { .session(session, $0) } ?? .unknown
    }

    package func identity(of token: APIToken) async throws -> RequestIdentity {
        try await credentials.holder(of: token).map { .token(token, $0) } ?? .unknown
    }

    /// Counts a request and its body, and handles it. What it wrote for a person who was removed meanwhile is marked for
    /// erasure.
    ///
    /// - Throws: ``Problem`` when the request is beyond a limit or its person was removed meanwhile; what `next` throws.
    package func admit<Answer>(
        _ request: Request, of identity: RequestIdentity, _ context: GatewayContext,
        next: (Request, GatewayContext) async throws -> Answer
    ) async throws -> Answer {
        var context = context
        context.identity = identity
        let address = proxies.client(of: request, peer: context.remoteAddress)?.subscriber
        try count(request, of: identity, from: address, context)
        guard request.mayHaveBody else { return try await next(request, context) }
        let answer = try await handle(request, of: identity, from: address, context, next: next)
        // The person may have been removed by another process while the request was handled.
        if let holder = identity.holder, !context.visitor.hasErasedUser,
            try await credentials.eraseAgain(ifRemoved: holder.user.id)
        {
            throw Problem.unauthorized
        }
        return answer
    }

    private func handle<Answer>(
        _ request: Request, of identity: RequestIdentity, from address: String?, _ context: GatewayContext,
        next: (Request, GatewayContext) async throws -> Answer
    ) async throws -> Answer {
        // Files are stored as they arrive, and have their own limits.
        guard identity.holder == nil || !request.isImport else { return try await next(request, context) }
        let owner = identity.holder.map { BodyBudget.Owner.person(userID: $0.user.id) } ?? .address(address)
        let lease = BodyLease(bodies, for: owner)
        defer { lease.release() }
        var request = request
        request.body = RequestBody(asyncSequence: CountedBody(base: request.body, lease: lease))
        return try await next(request, context)
    }

    private func count(
        _ request: Request, of identity: RequestIdentity, from address: String?, _ context: GatewayContext
    ) throws {
        guard let limits else { return }
        let subject: RequestLimits.Subject
        if let holder = identity.holder {
            subject = request.isPicture ? .pictures(userID: holder.user.id) : .person(userID: holder.user.id)
        } else if let address {
            subject = .address(address)
        } else {
            // A local socket has no address to count requests by.
            return
        }
        let (quotaStatus, refusal) = limits.count(subject)
        context.visitor.limits.append(quotaStatus)
        if let refusal { throw refusal }
    }
}

/// Who makes a request, according to its credential.
package enum RequestIdentity: Sendable {
    /// It came without a credential, or with text that cannot be one.
    case none
    /// Its credential is wrong, has expired or was revoked.
    case unknown
    case token(APIToken, CredentialCache.Holder)
    case session(SessionToken, CredentialCache.Holder)

    /// The owner of a valid credential.
    package var holder: CredentialCache.Holder? {
        switch self {
        case .none, .unknown: nil
        case .token(_, let holder), .session(_, let holder): holder
        }
    }
}

/// Requests whose bodies are files, which have more time to arrive the longer they are (``ConnectionDeadlines``).
package enum FileUpload {
    /// A file that is imported is stored as it arrives, so that other limits apply to it than to a body that is read
    /// into memory (``RequestAdmission``).
    package static let path = "/v1/library/imports"
    /// A picture is read into memory, like other bodies.
    package static let picturePath = "/v1/me/picture"
}

/// Admits the requests of all routes after it.
struct AdmissionMiddleware: RouterMiddleware {
    typealias Context = GatewayContext

    let admission: RequestAdmission

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        try await admission.admit(request, of: try await admission.identity(of: request), context, next: next)
    }
}

extension Request {
    fileprivate var mayHaveBody: Bool { ![.get, .head, .options].contains(method) }
    fileprivate var isImport: Bool { method == .post && uri.path.hasPrefix(FileUpload.path) }
    fileprivate var isPicture: Bool { method == .get && uri.path.hasPrefix(PicturePaths.prefix) }
}

extension APIToken {
    /// The token in an `Authorization` header (RFC 9110, section 11.6.2).
    ///
    /// - Parameter schemes: the accepted schemes, in lower case.
    /// - Returns: `nil` for another form, and for more than 200 bytes.
    init?(header: String, schemes: [String]) {
        let parts = header.split(separator: " ")
        guard parts.count == 2, schemes.contains(parts[0].lowercased()), parts[1].utf8.count <= 200 else { return nil }
        self.init(secret: Secret(String(parts[1])))
    }
}
