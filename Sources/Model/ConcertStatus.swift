/// The state of an event's sale, in Ticketmaster's terms.
package enum ConcertStatus: Hashable, Sendable {
    case onsale
    case offsale
    case cancelled
    case postponed
    case rescheduled
    /// A value that this version does not know, in lower case; `unknown` when it is missing.
    case other(String)

    /// Accepts either spelling of "cancelled" and any case.
    package init(code: String?) {
        let word = code.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased() } ?? ""
        self =
            switch word {
            case "onsale": .onsale
            case "offsale": .offsale
            case "cancelled", "canceled": .cancelled
            case "postponed": .postponed
            case "rescheduled": .rescheduled
            case "": .other("unknown")
            default: .other(word)
            }
    }

    package var code: String {
        switch self {
        case .onsale: "onsale"
        case .offsale: "offsale"
        case .cancelled: "cancelled"
        case .postponed: "postponed"
        case .rescheduled: "rescheduled"
        case .other(let word): word
        }
    }
}

extension ConcertStatus: Codable {
    package init(from decoder: any Decoder) throws {
        self.init(code: try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(code)
    }
}
