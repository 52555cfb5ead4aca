/// How long a transfer may take, and how large its answer may be.
package struct TransferLimits: Sendable, Equatable {
    /// The most time for name lookup, TCP and TLS together.
    package var connectTimeout: Duration
    /// The most time from the start of the transfer, including connecting, to the last byte of the answer.
    package var totalTimeout: Duration
    /// The most bytes of headers and decompressed body together.
    package var maximumResponseBytes: Int

    package init(
        connectTimeout: Duration = .seconds(5), totalTimeout: Duration = .seconds(10),
        maximumResponseBytes: Int = 8 * 1024 * 1024
    ) {
        self.connectTimeout = connectTimeout
        self.totalTimeout = totalTimeout
        self.maximumResponseBytes = maximumResponseBytes
    }
}
