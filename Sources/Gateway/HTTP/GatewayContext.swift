import Hummingbird
import Logging
import Storage

/// What a request carries on its way through the middleware.
struct GatewayContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Who asks; set by ``AuthenticationMiddleware``.
    var user: UserRecord?

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
    }

    /// The user of a route behind ``AuthenticationMiddleware``.
    var userID: String {
        get throws {
            guard let user else { throw Problem.unauthorized }
            return user.id
        }
    }
}
