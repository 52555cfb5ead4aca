/// The person of a verified ID token.
package struct GoogleIdentity: Sendable, Equatable {
    /// Google's `sub`, 1 … 255 characters. It identifies the person for ever, unlike an address.
    package var subject: String
    /// An address that Google has verified.
    package var email: String?
    package var name: String?
    /// `https` only.
    package var pictureURL: String?
    /// The Google Workspace that the account belongs to; `nil` for others.
    package var hostedDomain: String?
}
