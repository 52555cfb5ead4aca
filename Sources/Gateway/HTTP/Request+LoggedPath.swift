import Hummingbird

extension Request {
    /// The path for the log, without its query, which may contain what people search for. Where it contains somebody's
    /// username, it is the route instead: the log neither shows who looks at whom nor keeps names of erased people.
    func loggedPath(_ context: GatewayContext) -> String {
        guard let route = context.endpointPath.map(TelemetryMiddleware.template), route.contains("{username}") else {
            return String(uri.path.prefix(200))
        }
        return route
    }
}
