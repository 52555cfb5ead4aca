/// What a connection may take of the gateway's time and memory.
package struct ConnectionLimits: Sendable, Equatable {
    /// For a request's line and header: from the accepting of the connection, on one that is kept from the first
    /// byte. It is also how long a connection that was told to close may stay.
    package var header = Duration.seconds(10)
    /// For a request's body, from its header on.
    package var body = Duration.seconds(60)
    /// Between a request's answer and the first byte of the next one.
    package var keepAlive = Duration.seconds(75)
    /// For a client to take anything of what waits to be sent to it.
    package var write = Duration.seconds(60)
    /// Of a request's line and header together.
    package var maximumHeaderBytes = 32_768

    package init() {}

    /// In one request.
    static let maximumHeaderFields = 100
    /// Of a request's path and query.
    static let maximumTargetBytes = 8_192
}
