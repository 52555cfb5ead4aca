import Model

extension JobFailure {
    /// What a provider's failure means for the job whose call met it.
    package init(_ failure: ProviderFailure) {
        let remedy: Remedy =
            switch (failure.recovery, failure.until) {
            case (.retryAt, let until?): .postpone(until: until)
            case (.retryAt, nil): .retry(after: nil)
            // A new consent brings a scope that is missing, too.
            case (.reconnect, _), (.askScope, _): .awaitCredential(failure.provider)
            // The vault's key file may be away for a moment only.
            case (.fixConfiguration, _) where failure.kind == .secretsSealed: .retry(after: nil)
            case (.refresh, _), (.fixConfiguration, _), (.tellUser, _): .none
            }
        self.init(code: failure.kind.rawValue, message: failure.description, remedy: remedy)
    }
}
