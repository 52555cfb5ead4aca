/// Who may read `/metrics` (`http.metrics`).
package enum MetricsAccess: String, CaseIterable, Sendable {
    /// Administrators.
    case token
    /// Administrators, and whoever asks from the machine itself and not through a proxy.
    case local
    /// Everybody who reaches the gateway.
    case open
}
