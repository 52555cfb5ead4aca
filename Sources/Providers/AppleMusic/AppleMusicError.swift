import Foundation
import Model
import Upstream

/// Why Apple Music gave no usable answer.
package enum AppleMusicError: Error, Sendable, Equatable {
    /// The text is not a private key.
    case privateKeyUnreadable
    /// 401: Apple does not accept the developer token.
    case developerTokenRefused
    /// 403 below `/me`: Apple does not accept the music user token.
    case userTokenRefused
    /// 400 with the code 40015: the account has no subscription, or no library.
    case subscriptionMissing
    /// Any other 4xx, which a retry would only reproduce, with Apple's code if there is one.
    case requestRefused(status: Int, code: String?)
    /// 429. The wait is the one that Apple asks for, or else ``standardPause``.
    case rateLimited(after: Duration)
    /// A success whose body cannot be read.
    case unreadable
    case upstreamError(status: Int)

    /// For a 429 without `Retry-After`, which Apple does not document.
    private static let standardPause = Duration.seconds(60)

    /// - Parameters:
    ///   - isPersonal: whether the call had a user token. Without one, a 403 is not about a person's access.
    ///   - now: the moment from which waits are measured.
    init(_ response: UpstreamResponse, isPersonal: Bool = true, now: Timestamp = .now()) {
        let code = Self.code(in: response)
        self =
            switch response.status {
            case 401: .developerTokenRefused
            case 403 where isPersonal: .userTokenRefused
            case 429: .rateLimited(after: RetryAfter.pause(in: response, orElse: Self.standardPause, now: now))
            case 400 where code == "40015": .subscriptionMissing
            case 400..<500 where response.status != 408: .requestRefused(status: response.status, code: code)
            default: .upstreamError(status: response.status)
            }
    }

    /// 404 with the code 40403: a list without items, such as that of an empty playlist or library.
    var isEmptyList: Bool { self == .requestRefused(status: 404, code: "40403") }

    /// 404 with the code 40400, another code, or none: Apple does not have the resource. Among others, this is the
    /// answer for the library lists of an account without a cloud library, because it is new or Sync Library is off.
    var lacksCloudLibrary: Bool {
        if case .requestRefused(status: 404, code: _) = self { return !isEmptyList }
        return false
    }

    /// Whether Apple refused the request itself, rather than its tokens or its rate.
    var isRefusal: Bool {
        if case .requestRefused = self { return true }
        return false
    }

    /// Apple's error code. Only digits are accepted, so that no other text of the answer is stored.
    private static func code(in response: UpstreamResponse) -> String? {
        struct Document: Decodable {
            struct Failure: Decodable {
                var code: String?
            }
            var errors: [Failure]
        }
        let document = try? JSONDecoder().decode(Document.self, from: Data(response.body))
        guard let code = document?.errors.first?.code, !code.isEmpty, code.count <= 10,
            code.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return code
    }
}

extension AppleMusicError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .privateKeyUnreadable:
            "The private key cannot be read. Paste the whole .p8 file that you downloaded from Apple, including its "
                + "first and last line."
        case .developerTokenRefused:
            "Apple does not accept these developer keys. Check that the team id, key id and private key belong "
                + "together, and that the key is enabled for MusicKit."
        case .userTokenRefused:
            "Apple accepts the developer keys, but not the music user token. A token expires after about six months, "
                + "and when the password changes: get a new one."
        case .subscriptionMissing:
            "Apple accepts the keys and the token, but the token's account has no Apple Music subscription, or no "
                + "library yet. Subscribe with that account and open its library once, or use another account's token."
        case .requestRefused(404, let code):
            "Apple Music does not have what was requested (status 404\(code.map { ", code \($0)" } ?? "")). It was "
                + "removed, or the account's cloud library is empty or off. To turn it on, use Sync Library in the "
                + "settings of the Music app; new keys or another try do not help."
        case .requestRefused(let status, let code):
            "Apple Music refused the request and did not say why (status \(status)"
                + (code.map { ", code \($0)" } ?? "") + "). Check that the keys and the token belong together; "
                + "trying again gives the same answer."
        case .rateLimited: "Apple Music asked for a pause after too many calls. Try again in a minute."
        case .unreadable: "Apple Music's answer could not be read. Try again in a moment."
        case .upstreamError(let status): "Apple Music answered with status \(status). Try again in a moment."
        }
    }
}

extension AppleMusicError {
    /// The failure of a call made with the installation's developer key, whose faults are not the person's.
    package func installationFailure(at now: Timestamp) -> ProviderFailure {
        switch self {
        case .developerTokenRefused:
            ProviderFailure(
                .appleMusic, .clientRefused,
                message: "Apple does not accept this Backline's developer key. Whoever runs it has to check "
                    + "appleMusic.teamID, appleMusic.keyID and appleMusic.privateKeyFile. Your own access is not "
                    + "affected.")
        case .privateKeyUnreadable: Self.installationKeyMissing
        default: failure(at: now)
        }
    }

    /// The failure when the installation's key cannot be used.
    package static let installationKeyMissing = ProviderFailure(
        .appleMusic, .credentialMissing,
        message: "This Backline cannot read its Apple developer key. Whoever runs it can find the reason in the "
            + "worker's log (appleMusic.privateKeyFile).")
}

extension AppleMusicError: ProviderError {
    package func failure(at now: Timestamp) -> ProviderFailure {
        let (kind, wait, reason): (ProviderFailure.Kind, Duration?, String?) =
            switch self {
            case .privateKeyUnreadable: (.privateKeyUnreadable, nil, nil)
            // For a person's own key; ``installationFailure(at:)`` covers the installation's.
            case .developerTokenRefused: (.keyRefused, nil, nil)
            case .userTokenRefused: (.userTokenRefused, nil, nil)
            case .subscriptionMissing: (.subscriptionMissing, nil, "40015")
            case .requestRefused(_, let code): (.requestRefused, nil, code)
            case .rateLimited(let wait): (.rateLimited, wait, nil)
            case .unreadable: (.unreadable, nil, nil)
            case .upstreamError: (.serverError, nil, nil)
            }
        return ProviderFailure(
            .appleMusic, kind, until: wait.map { now.advanced(by: $0) }, message: description, reason: reason)
    }
}
