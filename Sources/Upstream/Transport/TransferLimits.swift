/// How long a transfer may take and how much it may bring.
package struct TransferLimits: Sendable, Equatable {
    /// Name lookup, TCP and TLS together.
    package var connectTimeout: Duration
    /// From the start of the transfer, connecting included, to the last byte of the answer.
    package var totalTimeout: Duration
    /// Headers and decompressed body together, in bytes.
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
