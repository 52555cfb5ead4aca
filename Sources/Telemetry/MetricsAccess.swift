/// Who may read `/metrics` (`http.metrics`).
package enum MetricsAccess: String, CaseIterable, Sendable {
    /// Administrators.
    case token
    /// Administrators, and programs on the machine itself that do not ask through a proxy.
    case local
    /// Everybody who can reach the gateway.
    case open
}
