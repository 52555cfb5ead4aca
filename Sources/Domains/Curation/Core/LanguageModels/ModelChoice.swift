/// The model that a person has chosen. The raw values are part of the API and stored in the database.
package enum ModelChoice: RawRepresentable, Sendable, Hashable {
    /// Gemini, with the person's own key.
    case gemini
    /// One of the administrator's models, by its name, which is neither `gemini` nor `none`.
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

/// One of the administrator's models that people can choose.
package struct EndpointModel: Sendable, Hashable {
    /// The name of its server in the configuration.
    package var endpoint: String
    package var model: String

    package init(endpoint: String, model: String) {
        (self.endpoint, self.model) = (endpoint, model)
    }
}
