import Connections
import Model
import Spotify
import Upstream

extension ConnectionFailure {
    /// Sorts what a call to Spotify threw; `nil` for what is no word of an upstream: cancellation, the database.
    init?(translating error: any Error, now: Timestamp = .now()) {
        switch error {
        case let error as SpotifyError:
            self.init(error.fault, until: error.wait.map { now.advanced(by: $0) }, message: error.description)
        case let error as UpstreamError:
            guard let fault = error.fault else { return nil }
            self.init(
                fault, until: error.until, message: "Spotify was not asked, or did not answer: \(error).",
                isAnswer: error.until != nil)
        default:
            return nil
        }
    }

    /// Runs a call, and throws its errors as failures of a connection.
    static func translating<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch {
            throw ConnectionFailure(translating: error) ?? error
        }
    }
}

extension SpotifyError {
    fileprivate var fault: ConnectionFault {
        switch self {
        case .grantRefused: .grantRefused
        case .clientRefused: .clientRefused
        case .tokenRequestRefused: .tokenRequestRefused
        case .accessTokenRefused: .accessTokenRefused
        case .scopeMissing: .scopeMissing
        case .accountNotAllowed: .accountNotAllowed
        case .forbidden: .forbidden
        case .requestRefused: .requestRefused
        case .rateLimited: .rateLimited
        case .quotaExhausted: .quotaExhausted
        case .serverError: .serverError
        case .invalidResponse: .unreadable
        }
    }

    fileprivate var wait: Duration? {
        switch self {
        case .rateLimited(let wait), .quotaExhausted(let wait): wait
        default: nil
        }
    }
}

extension UpstreamError {
    /// `nil` for a mistake of this program or its configuration.
    fileprivate var fault: ConnectionFault? {
        switch self {
        case .connectionFailed: .notReached
        case .timedOut: .timedOut
        case .responseTooLarge: .unreadable
        case .paused(_, .requested): .rateLimited
        case .paused(_, .quotaExhausted): .quotaExhausted
        case .circuitOpen: .serverError
        case .invalidBaseURL, .invalidRequest: nil
        }
    }

    /// Until when nothing is sent; what has one was not sent.
    fileprivate var until: Timestamp? {
        switch self {
        case .paused(let until, _), .circuitOpen(let until): until
        default: nil
        }
    }
}
