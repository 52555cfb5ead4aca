/// Which model a person wants to be asked. The raw values are in the API and the database.
package enum ModelChoice: String, Sendable, Hashable, CaseIterable {
    /// Gemini, with a key of their own.
    case gemini
    /// The administrator's.
    case endpoint
    case noModel = "none"
}
