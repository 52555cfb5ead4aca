import Crypto
import Foundation
import Model
import Platform
import Vault

/// A secret that identifies its owner: 256 random bits, handed out once and stored as a hash.
package struct Credential<Purpose: CredentialPurpose>: Sendable {
    /// The prefix of its purpose and 43 characters of base64url.
    package let secret: Secret

    package static func random() -> Self {
        Self(secret: Secret(Purpose.prefix + AuthorizationSecrets.random().reveal()))
    }

    package init(secret: Secret) {
        self.secret = secret
    }

    /// SHA-256 in hexadecimal. The secret is random, so a slow password hash would add nothing.
    package var hash: String {
        SHA256.hash(data: Data(secret.reveal().utf8)).hexadecimal
    }
}

/// The purpose of a credential. Each has its own prefix, by which people and secret scanners tell credentials apart.
package protocol CredentialPurpose: Sendable {
    static var prefix: String { get }
}

package enum APITokenPurpose: CredentialPurpose {
    package static let prefix = "bl_"
}

package enum SessionPurpose: CredentialPurpose {
    package static let prefix = "bls_"
}

package enum SignInPurpose: CredentialPurpose {
    package static let prefix = "bll_"
}

extension Credential<APITokenPurpose> {
    /// A token in the form of a UUID (version 4, RFC 9562), as programs that send listens expect: 122 random bits.
    package static func listening() -> Self { Self(secret: Secret(UUID().uuidString.lowercased())) }
}

/// The bearer token of a program. It works until it expires or is revoked.
package typealias APIToken = Credential<APITokenPurpose>

/// The secret in a browser's cookie while a person is signed in.
package typealias SessionToken = Credential<SessionPurpose>

/// The secret in a sign-in link. It works once, for ten minutes.
package typealias SignInCode = Credential<SignInPurpose>

package enum InvitationPurpose: CredentialPurpose {
    package static let prefix = "bli_"
}

/// The secret in an invitation. It makes one account, within seven days.
package typealias InvitationCode = Credential<InvitationPurpose>

package enum SignInBrowserPurpose: CredentialPurpose {
    package static let prefix = "blb_"
}

/// The secret in the cookie that binds an attempt to sign in with Google to its browser.
package typealias SignInBrowser = Credential<SignInBrowserPurpose>

/// The hash of the credential of a request.
package enum CredentialHash: Sendable, Hashable {
    case token(String)
    case session(String)
}

/// What is known of a valid credential.
package enum CredentialOwner: Sendable {
    case token(TokenHolder)
    case session(Session)

    /// When the credential stops working, unless it is used; `nil` for never.
    package var expiresAt: Timestamp? {
        switch self {
        case .token(let holder): holder.expiresAt
        case .session(let session): session.expiresAt
        }
    }
}
