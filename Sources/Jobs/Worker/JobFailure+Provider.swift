import Model

extension JobFailure {
    /// The failure of a job whose call to a provider failed (`docs/decisions/013-provider-failures.md`).
    package init(_ failure: ProviderFailure) {
        let remedy: Remedy =
            switch (failure.recovery, failure.until) {
            case (.retryAt, let until?): .postpone(until: until)
            case (.retryAt, nil): .retry(after: nil)
            case (.reconnect, _): .awaitCredential(failure.provider)
            case (.askScope, _):
                .awaitScopes(failure.scope?.split(separator: " ").map(String.init) ?? [], at: failure.provider)
            // The vault's key file may only be missing temporarily.
            case (.fixConfiguration, _) where failure.kind == .secretsSealed: .retry(after: nil)
            case (.refresh, _), (.fixConfiguration, _), (.tellUser, _): .none
            }
        self.init(code: failure.kind.rawValue, message: failure.description, remedy: remedy)
    }
}
