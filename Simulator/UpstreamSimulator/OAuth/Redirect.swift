import Foundation

/// Sends a browser back to the app.
enum Redirect {
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    /// - Parameter parameters: parameters with the value `nil` are left out.
    static func to(_ address: String, _ parameters: [(name: String, value: String?)]) -> Answer {
        let query = parameters.compactMap { parameter in
            parameter.value.map {
                parameter.name + "=" + ($0.addingPercentEncoding(withAllowedCharacters: unreserved) ?? "")
            }
        }
        let target = address + (address.contains("?") ? "&" : "?") + query.joined(separator: "&")
        return Answer(
            status: 303, contentType: "", body: "", headers: [("Location", target), ("Cache-Control", "no-store")])
    }
}
