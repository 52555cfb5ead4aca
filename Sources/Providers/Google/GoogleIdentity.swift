/// Who signed in, by an ID token that was verified.
package struct GoogleIdentity: Sendable, Equatable {
    /// Google's `sub`, 1 … 255 characters: the person, for ever. Addresses change hands, this does not.
    package var subject: String
    /// Only an address that Google has verified; `nil` otherwise.
    package var email: String?
    package var name: String?
    /// `https` only.
    package var pictureURL: String?
    /// The Google Workspace that the account belongs to; `nil` for others.
    package var hostedDomain: String?
}
