/// An error of the Web API, which is nested, unlike the flat errors of the accounts service.
struct SpotifyErrorDocument: Encodable {
    struct Failure: Encodable {
        var status: Int
        var message: String
        /// Only errors of the player and of quotas have one.
        var reason: String?
    }

    let error: Failure

    init(_ status: Int, _ message: String, reason: String?) {
        error = Failure(status: status, message: message, reason: reason)
    }
}
