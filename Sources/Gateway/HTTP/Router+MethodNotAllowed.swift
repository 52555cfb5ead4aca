import HTTPTypes
import Hummingbird

extension Router<GatewayContext> {
    /// Makes every path answer `405` with `Allow` (RFC 9110, section 15.5.6) to methods that it does not support,
    /// where Hummingbird's router would answer `404`. Call it after all routes were added.
    func refuseOtherMethods() {
        let methods: [HTTPRequest.Method] =
            [.get, .head, .post, .put, .patch, .delete, .options, .trace]
            // draft-ietf-httpbis-safe-method-w-body.
            + [HTTPRequest.Method("QUERY")].compactMap(\.self)
        for routes in Dictionary(grouping: routes, by: \.path.description).values {
            let allowed = routes.map(\.method.rawValue).sorted().joined(separator: ", ")
            for method in methods where !routes.contains(where: { $0.method == method }) {
                on(routes[0].path, method: method) { request, _ -> Response in
                    throw Problem.methodNotAllowed(request, allowed: allowed)
                }
            }
        }
    }
}
