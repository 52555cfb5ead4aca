import Model
import Upstream

/// Why iTunes gave no usable answer.
package enum ITunesError: Error, Sendable, Equatable {
    /// Too many calls from this address.
    case limited
    /// A success whose body cannot be read.
    case unreadable
    case upstreamError(status: Int)

    init(_ response: UpstreamResponse) {
        self = ITunesClient.isLimit(response) ? .limited : .upstreamError(status: response.status)
    }
}

extension ITunesError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .limited: "iTunes asked for a pause after too many calls. Try again in a minute."
        case .unreadable: "iTunes' answer could not be read. Try again in a moment."
        case .upstreamError(let status): "iTunes answered with status \(status). Try again in a moment."
        }
    }
}

extension ITunesError: ProviderError {
    package func failure(at now: Timestamp) -> ProviderFailure {
        let (kind, until): (ProviderFailure.Kind, Timestamp?) =
            switch self {
            case .limited: (.rateLimited, now.advanced(by: .seconds(60)))
            case .unreadable: (.unreadable, nil)
            case .upstreamError(let status) where status == 408 || status >= 500: (.serverError, nil)
            case .upstreamError: (.requestRefused, nil)
            }
        return ProviderFailure(.itunes, kind, until: until, message: description)
    }
}
