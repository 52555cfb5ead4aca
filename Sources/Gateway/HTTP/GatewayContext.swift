import Accounts
import Hummingbird
import Logging
import Model
import NIOCore
import Storage
import Synchronization

/// The context of a request: its connection, and its user once authenticated.
struct GatewayContext: RemoteAddressRequestContext {
    var coreContext: CoreRequestContextStorage
    /// The peer of the connection: behind a proxy, the proxy.
    let remoteAddress: SocketAddress?
    /// The connection of the request.
    let channel: any Channel
    /// The user who makes the request, and the token or session that proved it; set by ``AuthenticationMiddleware``.
    var user: UserRecord? {
        didSet { visitor.user = user }
    }
    var token: APIToken?
    var session: SessionToken?
    /// The hash of the API token that the session was begun with.
    var sessionTokenHash: String?
    /// The absolute end of the session, which using it does not extend.
    var sessionEnd: Timestamp?

    /// Shared by all copies of the context, so that middleware outside authentication learns of the user as well.
    let visitor = RequestVisitor()

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        remoteAddress = source.channel.remoteAddress
        channel = source.channel
    }

    /// The user's id in a route behind ``AuthenticationMiddleware``.
    var userID: String {
        get throws {
            guard let user else { throw Problem.unauthorized }
            return user.id
        }
    }

    /// The credential that authenticated the request.
    var credential: CredentialHash? {
        token.map { .token($0.hash) } ?? session.map { .session($0.hash) }
    }
}

/// The user of a request, once authenticated, and the standing of its request limits.
final class RequestVisitor: Sendable {
    private let known = Mutex<UserRecord?>(nil)
    private let standings = Mutex<[RequestLimitStanding]>([])

    var user: UserRecord? {
        get { known.withLock { $0 } }
        set { known.withLock { $0 = newValue } }
    }

    var userID: String? { user?.id }

    var limits: [RequestLimitStanding] {
        get { standings.withLock { $0 } }
        set { standings.withLock { $0 = newValue } }
    }
}
