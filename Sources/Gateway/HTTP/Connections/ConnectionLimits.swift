/// The time and memory that one connection may use.
package struct ConnectionLimits: Sendable, Equatable {
    /// The time for a request's line and header: on a new connection from its acceptance, later from the header's
    /// first byte. A client also has this long to close a connection after the last response.
    package var header = Duration.seconds(10)
    /// The time for a request's body, from the end of its header.
    package var body = Duration.seconds(60)
    /// The time from a response to the first byte of the next request.
    package var keepAlive = Duration.seconds(75)
    /// The time in which a client has to read at least a byte of a waiting response.
    package var write = Duration.seconds(60)
    /// The most bytes of a request's line and header together.
    package var maximumHeaderBytes = 32_768

    package init() {}

    /// The bytes of a file that a client has to send each second, on average and after the time of ``body``.
    static let fileBytesPerSecond: Int64 = 65_536
    /// The most header fields of a request.
    static let maximumHeaderFields = 100
    /// The most bytes of a request's path and query.
    static let maximumTargetBytes = 8_192
}
