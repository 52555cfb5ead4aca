import Model

/// How many requests may arrive at a provider in any interval of the window's length.
package struct PermitLimit: Sendable, Equatable {
    /// At least 1.
    package let requests: Int
    /// Longer than zero.
    package let window: Duration

    package init(requests: Int, window: Duration) {
        precondition(requests > 0 && window > .zero, "a limit allows at least one request in some time")
        self.requests = requests
        self.window = window
    }
}
