import Crypto
import Foundation
import Model
import Vault

/// A secret that says who somebody is: 256 random bits, handed out once and stored as its hash.
package struct Credential<Purpose: CredentialPurpose>: Sendable {
    /// The prefix of its purpose and 43 characters of base64url.
    package let secret: Secret

    package static func random() -> Self {
        Self(secret: Secret(Purpose.prefix + AuthorizationSecrets.random().reveal()))
    }

    package init(secret: Secret) {
        self.secret = secret
    }

    /// SHA-256 in hexadecimal. The secret is random, so that a slow password hash would add nothing.
    package var hash: String {
        SHA256.hash(data: Data(secret.reveal().utf8)).hexadecimal
    }
}

/// What a credential is for. Each has a prefix of its own, by which people and secret scanners tell them apart.
package protocol CredentialPurpose: Sendable {
    static var prefix: String { get }
}

package enum AccessTokenPurpose: CredentialPurpose {
    package static let prefix = "bl_"
}

package enum SessionPurpose: CredentialPurpose {
    package static let prefix = "bls_"
}

package enum SignInPurpose: CredentialPurpose {
    package static let prefix = "bll_"
}

/// A bearer token of a program; it works until it is revoked.
package typealias AccessToken = Credential<AccessTokenPurpose>

/// What a browser's cookie holds while a person is signed in.
package typealias SessionKey = Credential<SessionPurpose>

/// What a sign-in link carries; it works once, for ten minutes.
package typealias SignInCode = Credential<SignInPurpose>

package enum SignInBrowserPurpose: CredentialPurpose {
    package static let prefix = "blb_"
}

/// By which a browser that began to sign in elsewhere is known again when it comes back.
package typealias SignInBrowser = Credential<SignInBrowserPurpose>

/// The hash of what somebody showed to say who they are.
package enum CredentialHash: Sendable, Equatable {
    case token(String)
    case session(String)
}
