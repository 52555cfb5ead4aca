import HTTPTypes
import Hummingbird

extension Response {
    /// Leads a browser on from an address that holds a code or a state, which nobody else is to see.
    static func redirect(to address: String) -> Response {
        Response(
            status: .seeOther,
            headers: [.location: address, .cacheControl: "no-store", .referrerPolicy: "no-referrer"])
    }
}
