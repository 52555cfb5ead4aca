/// How a call was refused.
struct CallRefusal: Sendable, Equatable {
    var status: Int
    /// Spotify's message, or Apple Music's code.
    var reason: String?
    /// Apple Music's: the parameter that is wrong.
    var parameter: String?

    init(_ status: Int, _ reason: String?, parameter: String? = nil) {
        self.status = status
        self.reason = reason
        self.parameter = parameter
    }
}
