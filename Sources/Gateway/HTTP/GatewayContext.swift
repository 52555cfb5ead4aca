import Accounts
import Foundation
import Hummingbird
import Logging
import Model
import NIOCore
import Storage
import Synchronization

/// The context of a request: its connection, and its user once authenticated.
package struct GatewayContext: RemoteAddressRequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The peer of the connection: behind a proxy, the proxy.
    package let remoteAddress: SocketAddress?
    /// The connection of the request.
    package let channel: any Channel
    /// Whose credential came with the request; set by ``RequestAdmission``, `nil` before it.
    package var identity: RequestIdentity?
    /// The user who makes the request, and the token or session that proved it; set by ``AuthenticationMiddleware``.
    package var user: UserRecord? {
        didSet { visitor.user = user }
    }
    package var token: APIToken?
    package var session: SessionToken?
    /// The hash of the API token that the session was begun with.
    var sessionTokenHash: String?
    /// The absolute end of the session, which using it does not extend.
    package var sessionEnd: Timestamp?

    /// Shared by all copies of the context, so that middleware outside authentication learns of the user as well.
    package let visitor = RequestVisitor()

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        remoteAddress = source.channel.remoteAddress
        channel = source.channel
    }

    /// The user's id in a route after ``AuthenticationMiddleware``.
    package var userID: String {
        get throws {
            guard let user else { throw Problem.unauthorized }
            return user.id
        }
    }

    /// A segment of the path that is free text. The router leaves segments percent-encoded.
    ///
    /// - Throws: ``Problem`` `notFound` for one that is not percent-encoded UTF-8.
    package func text(_ name: String, of what: String) throws -> String {
        guard let text = try parameters.require(name).removingPercentEncoding else { throw Problem.notFound(what) }
        return text
    }

    /// The username in the path, to be looked up. The router leaves it percent-encoded. A text that cannot be one, such as
    /// one that is not UTF-8, is a text that is nobody's name, so that it is answered like an unknown name.
    package var username: String {
        get throws {
            // Nobody's name has U+0000, which PostgreSQL's text type refuses, and a name with `/` is in no path.
            try parameters.require("username").removingPercentEncoding?.replacing("\0", with: "/") ?? "/"
        }
    }

    /// The credential that authenticated the request.
    package var credential: CredentialHash? {
        token.map { .token($0.hash) } ?? session.map { .session($0.hash) }
    }
}

/// The user of a request, once authenticated, and what is left of the request limits.
package final class RequestVisitor: Sendable {
    private let known = Mutex<UserRecord?>(nil)
    private let statuses = Mutex<[RequestLimitStatus]>([])
    private let erased = Atomic(false)

    package var user: UserRecord? {
        get { known.withLock { $0 } }
        set { known.withLock { $0 = newValue } }
    }

    var userID: String? { user?.id }

    /// Whether the request was to erase the user, and did.
    package var hasErasedUser: Bool {
        get { erased.load(ordering: .relaxed) }
        set { erased.store(newValue, ordering: .relaxed) }
    }

    var limits: [RequestLimitStatus] {
        get { statuses.withLock { $0 } }
        set { statuses.withLock { $0 = newValue } }
    }
}
