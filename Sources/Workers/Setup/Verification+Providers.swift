import Accounts
import AppleMusic
import Bootstrap
import Connections
import Contracts
import Gemini
import Jobs
import Model
import Ticketmaster
import Upstream

extension WorkerProcess {
    private var verification: CredentialVerification {
        CredentialVerification(database: database, vault: vault) { city, userID, now, transaction in
            try transaction.accounts.setHomeCity(city, userID: userID, now: now)
        }
    }

    /// Proves Gemini keys by asking for the list of models.
    package func geminiVerification(runtime: UpstreamRuntime) throws -> JobHandler {
        let calls = try upstreamCalls(
            .gemini, runtime: runtime, forCandidates: true, timeout: RetryPolicy.verificationTimeout,
            classify: { GeminiClient.classify($0) })
        return .verification(.setupVerifyGemini, verification) { candidate in
            let key = candidate.secrets[SecretField.apiKey] ?? Secret("")
            do {
                try await GeminiClient(key: key, send: calls(key, .verification).send).verify()
                return .accepted()
            } catch let error as GeminiError {
                return .other(VerificationResult(error))
            } catch {
                return try .init(error, provider: .gemini)
            }
        }
    }

    /// Proves Ticketmaster keys by asking for one event.
    package func ticketmasterVerification(runtime: UpstreamRuntime) throws -> JobHandler {
        let calls = try upstreamCalls(
            .ticketmaster, runtime: runtime, forCandidates: true, timeout: RetryPolicy.verificationTimeout,
            classify: { TicketmasterClient.classify($0) },
            quotaReset: { TicketmasterClient.quotaReset($0) })
        return .verification(.setupVerifyTicketmaster, verification) { candidate in
            let key = candidate.secrets[SecretField.apiKey] ?? Secret("")
            do {
                _ = try await TicketmasterClient(key: key, send: calls(key, .verification).send)
                    .events(keyword: "music", size: 1)
                return .accepted()
            } catch let error as TicketmasterError {
                return .other(VerificationResult(error))
            } catch {
                return try .init(error, provider: .ticketmaster)
            }
        }
    }

    /// Proves the keys and tokens of Apple Music by asking for the person's storefront.
    package func appleMusicVerification(runtime: UpstreamRuntime) throws -> JobHandler {
        let calls = try upstreamCalls(
            .appleMusic, runtime: runtime, forCandidates: true, timeout: RetryPolicy.verificationTimeout)
        return .verification(.setupVerifyAppleMusic, verification) { candidate in
            let key = AppleMusicDeveloperKey(
                teamID: candidate.details[SetupDetail.teamID] ?? "", keyID: candidate.details[SetupDetail.keyID] ?? "",
                privateKey: candidate.secrets[SecretField.privateKey] ?? Secret(""))
            let userToken = candidate.secrets[SecretField.userToken] ?? Secret("")
            do {
                let storefront = try await AppleMusicClient(
                    developerKey: key, userToken: userToken, send: calls(userToken, .verification).send
                ).storefront()
                return .accepted(account: "storefront \(storefront)")
            } catch let error as AppleMusicError {
                return .other(VerificationResult(error))
            } catch {
                return try .init(error, provider: .appleMusic)
            }
        }
    }
}

extension VerificationResult {
    init(_ error: GeminiError) {
        self =
            switch error {
            case .keyInvalid, .keyExpired: .refused(code: .keyRefused, "\(error)", field: "apiKey")
            case .keyRestricted: .refused(code: .keyRestricted, "\(error)", field: "apiKey")
            case .locationUnsupported: .refused(code: .locationUnsupported, "\(error)", field: "apiKey")
            case .quotaExceeded(let isOfDay, let delay):
                .unavailable(
                    code: isOfDay ? .quotaExhausted : .rateLimited, "\(error)",
                    retryAfter: delay.map { max(1, Int($0.components.seconds)) })
            case .unreadable: .unavailable(code: .invalidResponse, "\(error)")
            case .keyNotJudged, .upstreamError: .unavailable(code: .upstreamError, "\(error)")
            }
    }

    init(_ error: TicketmasterError) {
        self =
            switch error {
            case .keyInvalid, .keyMissing:
                .refused(
                    code: .keyRefused,
                    "Ticketmaster does not know this key. Copy the consumer key again from developer.ticketmaster.com, "
                        + "whole; a new one may take some minutes until it works.", field: "apiKey")
            case .quotaExhausted: .unavailable(code: .quotaExhausted, "\(error)")
            case .spikeArrest: .unavailable(code: .rateLimited, "\(error)", retryAfter: 1)
            case .invalidResponse: .unavailable(code: .invalidResponse, "\(error)")
            case .badRequest, .notFound, .upstreamError: .unavailable(code: .upstreamError, "\(error)")
            }
    }

    init(_ error: AppleMusicError) {
        self =
            switch error {
            case .privateKeyUnreadable: .refused(code: .privateKeyUnreadable, "\(error)", field: "privateKey")
            case .developerTokenRefused: .refused(code: .keyRefused, "\(error)", field: "privateKey")
            case .userTokenRefused: .refused(code: .userTokenRefused, "\(error)", field: "userToken")
            case .subscriptionMissing: .refused(code: .subscriptionMissing, "\(error)", field: "userToken")
            case .requestRefused: .refused(code: .requestRefused, "\(error)")
            case .rateLimited: .unavailable(code: .rateLimited, "\(error)", retryAfter: 60)
            case .unreadable: .unavailable(code: .invalidResponse, "\(error)")
            case .upstreamError: .unavailable(code: .upstreamError, "\(error)")
            }
    }
}
