import Bootstrap
import Gateway

extension RequestLimit {
    /// The configured rate limit; `nil` when the configuration sets none.
    init?(_ configuration: BacklineConfiguration) {
        guard let requestsPerSecond = configuration.limits.requestsPerSecond else { return nil }
        self.init(requestsPerSecond: requestsPerSecond, burst: configuration.limits.requestBurst)
    }
}

extension ConnectionLimits {
    init(_ http: BacklineConfiguration.HTTP) {
        self.init()
        (header, body) = (http.headerTimeout, http.bodyTimeout)
        (keepAlive, write) = (http.keepAlive, http.writeTimeout)
        maximumHeaderBytes = http.maximumHeaderBytes
    }
}
