import Accounts
import Hummingbird
import Logging
import NIOCore
import Storage

/// What a request carries on its way through the middleware.
struct GatewayContext: RemoteAddressRequestContext {
    var coreContext: CoreRequestContextStorage
    /// Where the connection comes from: behind a proxy, the proxy.
    let remoteAddress: SocketAddress?
    /// Who asks, and the token or the session that says so; set by ``AuthenticationMiddleware``.
    var user: UserRecord?
    var token: AccessToken?
    var session: SessionKey?

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        remoteAddress = source.channel.remoteAddress
    }

    /// The user of a route behind ``AuthenticationMiddleware``.
    var userID: String {
        get throws {
            guard let user else { throw Problem.unauthorized }
            return user.id
        }
    }
}
