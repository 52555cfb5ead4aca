import Model

/// An error of a provider's client that can be translated into a ``ProviderFailure``.
package protocol ProviderError: Error {
    /// - Parameter now: the moment from which waits are measured.
    func failure(at now: Timestamp) -> ProviderFailure
}

extension ProviderFailure {
    /// Translates the failure of a call.
    package init(_ error: UpstreamError, of provider: Provider) {
        let (kind, until): (Kind, Timestamp?) =
            switch error {
            case .connectionFailed: (.notReached, nil)
            case .timedOut: (.timedOut, nil)
            case .responseTooLarge: (.unreadable, nil)
            case .paused(let until, .requested): (.rateLimited, until)
            case .paused(let until, .quotaExhausted): (.quotaExhausted, until)
            case .shareUsed(let until): (.shareUsed, until)
            case .circuitOpen(let until): (.serverError, until)
            case .tooLate: (.notReached, Timestamp.now().advanced(by: .seconds(1)))
            case .invalidBaseURL: (.addressUnusable, nil)
            case .invalidRequest: (.requestUnsendable, nil)
            }
        // A call that has to wait was not sent.
        self.init(
            provider, kind, until: until, outcome: until == nil ? nil : .notSent,
            message: error.sentence(service: provider.displayName), cause: error.description)
    }

    /// Translates an error of a call to a provider; `nil` for errors that are not about the call, such as cancellation
    /// or ``StorageError``.
    package init?(_ error: any Error, of provider: Provider, now: Timestamp = .now()) {
        switch error {
        case let failure as ProviderFailure: self = failure
        case let error as any ProviderError: self = error.failure(at: now)
        case let error as UpstreamError: self.init(error, of: provider)
        default: return nil
        }
    }

    /// Runs a call to a provider, and throws its errors as ``ProviderFailure``.
    package static func translating<Value>(
        _ provider: Provider, _ call: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await call()
        } catch {
            throw ProviderFailure(error, of: provider) ?? error
        }
    }
}

extension UpstreamError {
    /// Why there was no answer and what to do, as a text for people.
    fileprivate func sentence(service: String) -> String {
        switch self {
        case .connectionFailed, .timedOut:
            "\(service) could not be reached. Check the internet connection of Backline's server and try again."
        case .tooLate: "Backline's server was busy, so the request to \(service) was not sent in time. Try again."
        case .paused(let until, _): "\(service) asked for a pause until \(until). Try again after that."
        case .shareUsed(let until):
            "You have used up your share of today's requests to \(service) with this Backline's key. Enter your own "
                + "key, or try again after \(until)."
        case .circuitOpen: "Calls to \(service) have failed repeatedly. Try again in a minute."
        case .responseTooLarge, .invalidBaseURL, .invalidRequest:
            "\(service)'s answer could not be used. Try again later."
        }
    }
}
