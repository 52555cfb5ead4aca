import Accounts
import Hummingbird
import Logging
import Model
import NIOCore
import Storage
import Synchronization

/// What a request carries on its way through the middleware.
struct GatewayContext: RemoteAddressRequestContext {
    var coreContext: CoreRequestContextStorage
    /// Where the connection comes from: behind a proxy, the proxy.
    let remoteAddress: SocketAddress?
    /// The connection that the request came on.
    let channel: any Channel
    /// Who asks, and the token or the session that says so; set by ``AuthenticationMiddleware``.
    var user: UserRecord? {
        didSet { visitor.user = user }
    }
    var token: AccessToken?
    var session: SessionKey?
    /// Of the token that the session was begun with.
    var sessionTokenHash: String?
    /// When the session ends, however much it is used.
    var sessionEnd: Timestamp?

    /// Shared by all copies of the context, so that what stands around the routes learns who asked.
    let visitor = RequestVisitor()

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        remoteAddress = source.channel.remoteAddress
        channel = source.channel
    }

    /// The user of a route behind ``AuthenticationMiddleware``.
    var userID: String {
        get throws {
            guard let user else { throw Problem.unauthorized }
            return user.id
        }
    }

    /// What says who asks.
    var credential: CredentialHash? {
        token.map { .token($0.hash) } ?? session.map { .session($0.hash) }
    }
}

/// Who made a request, once that is known, and how many more they may make.
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
