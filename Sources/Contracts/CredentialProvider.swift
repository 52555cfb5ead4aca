import Model

/// Whom a person's credentials are for: at present every provider takes some.
package typealias CredentialProvider = Provider
