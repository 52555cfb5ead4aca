import HTTPTypes
import Hummingbird

extension Response {
    /// Redirects a browser from an address that holds an OAuth code or state. The headers keep that address out of
    /// caches and of `Referer`.
    static func redirect(to address: String) -> Response {
        Response(
            status: .seeOther,
            headers: [.location: address, .cacheControl: "no-store", .referrerPolicy: "no-referrer"])
    }
}
