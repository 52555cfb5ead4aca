import Foundation
import Model
import Upstream

/// The Apple Music API, as far as Backline needs it.
///
/// It does no I/O of its own: permits, retries and the connection belong to the closure it is given. Errors are
/// ``AppleMusicError``, or what that closure throws.
package struct AppleMusicClient: Sendable {
    package typealias Send = @Sendable (UpstreamRequest) async throws -> UpstreamResponse

    private let developerKey: AppleMusicDeveloperKey
    private let userToken: Secret
    private let urgency: UpstreamRequest.Urgency
    private let send: Send

    package init(
        developerKey: AppleMusicDeveloperKey, userToken: Secret, urgency: UpstreamRequest.Urgency = .interactive,
        send: @escaping Send
    ) {
        self.developerKey = developerKey
        self.userToken = userToken
        self.urgency = urgency
        self.send = send
    }

    /// The person's storefront, a country such as `fr`: the cheapest call that needs both tokens.
    package func storefront() async throws -> String {
        let token = try await developerKey.token()
        let response = try await send(
            UpstreamRequest(
                path: "/me/storefront", headers: [("Accept", "application/json")],
                secretHeaders: [
                    ("Authorization", Secret("Bearer \(token.reveal())")), ("Music-User-Token", userToken),
                ], urgency: urgency))
        guard response.isSuccess else { throw AppleMusicError(response) }
        guard let list = try? JSONDecoder().decode(StorefrontList.self, from: Data(response.body)),
            let storefront = list.data?.first?.id
        else { throw AppleMusicError.unreadable }
        return storefront
    }

    private struct StorefrontList: Decodable {
        struct Storefront: Decodable {
            var id: String?
        }
        var data: [Storefront]?
    }
}

/// Why Apple Music gave no usable answer.
package enum AppleMusicError: Error, Sendable, Equatable {
    /// The private key is none.
    case privateKeyUnreadable
    /// 401: the developer token is not accepted, whoever's music it is.
    case developerTokenRefused
    /// 403 below `/me`: the person's own token is not accepted.
    case userTokenRefused
    /// 400 with the code 40015: the account has no subscription, or no library that could be read.
    case subscriptionMissing
    /// Any other 4xx, which asking again brings again, with Apple's own code if there is one.
    case requestRefused(status: Int, code: String?)
    /// 429. The wait is the one that Apple asks for, else as long as Backline stays away by itself.
    case rateLimited(after: Duration)
    /// A success that cannot be read.
    case unreadable
    case upstreamError(status: Int)

    /// For a 429 without `Retry-After`, which Apple does not document.
    private static let standardPause = Duration.seconds(60)

    /// - Parameter now: what times are measured from.
    init(_ response: UpstreamResponse, now: Timestamp = .now()) {
        let code = Self.code(in: response)
        self =
            switch response.status {
            case 401: .developerTokenRefused
            case 403: .userTokenRefused
            case 429: .rateLimited(after: RetryAfter.pause(in: response, orElse: Self.standardPause, now: now))
            case 400 where code == "40015": .subscriptionMissing
            case 400..<500 where response.status != 408: .requestRefused(status: response.status, code: code)
            default: .upstreamError(status: response.status)
            }
    }

    /// Apple's code of what is wrong: digits, and nothing else of the answer.
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
            "The private key cannot be read. Paste all of the .p8 file that Apple let you download, with its first and "
                + "last line."
        case .developerTokenRefused:
            "Apple does not accept these developer keys. See that team id, key id and private key belong together, and "
                + "that the key is enabled for MusicKit."
        case .userTokenRefused:
            "Apple accepts the developer keys, but not the music user token. Such a token ends with a change of the "
                + "password and after some six months: make a new one."
        case .subscriptionMissing:
            "Apple takes the keys and the token, but the account that the token is of has no Apple Music subscription, "
                + "or no library yet. Subscribe with that account and open its library once, or use the token of another."
        case .requestRefused(let status, let code):
            "Apple Music refuses to be asked with this, and does not say which of it is wrong (status \(status)"
                + (code.map { ", code \($0)" } ?? "") + "). See that keys and token belong together; asking again "
                + "brings the same answer."
        case .rateLimited: "Apple Music asked for a pause, because of too many calls. Try again in a minute."
        case .unreadable: "Apple Music's answer could not be read. Try again in a moment."
        case .upstreamError(let status): "Apple Music answered with status \(status). Try again in a moment."
        }
    }
}
