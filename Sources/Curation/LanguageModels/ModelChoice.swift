/// Which model a person wants to be asked. The raw values are in the API and the database.
package enum ModelChoice: RawRepresentable, Sendable, Hashable {
    /// Gemini, with a key of their own.
    case gemini
    /// One of the administrator's, by its name, which is neither `gemini` nor `none`.
    case endpoint(String)
    case noModel

    package init(rawValue: String) {
        switch rawValue {
        case "gemini": self = .gemini
        case "none": self = .noModel
        default: self = .endpoint(rawValue)
        }
    }

    package var rawValue: String {
        switch self {
        case .gemini: "gemini"
        case .endpoint(let name): name
        case .noModel: "none"
        }
    }
}

/// A model of the administrator's, as people choose it.
package struct EndpointModel: Sendable, Hashable {
    /// The name of its server in the configuration.
    package var endpoint: String
    package var model: String

    package init(endpoint: String, model: String) {
        (self.endpoint, self.model) = (endpoint, model)
    }
}
