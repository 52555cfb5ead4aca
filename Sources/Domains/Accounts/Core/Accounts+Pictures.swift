import Model
import Platform
import Storage

extension Accounts {
    /// Stores a picture that a person has uploaded.
    ///
    /// - Parameters:
    ///   - bytes: a picture that may be shown.
    ///   - type: its media type.
    /// - Returns: its address; `nil` when there is no such person.
    /// - Throws: `ActLimitReached`.
    package func setPicture(
        _ bytes: [UInt8], type: String, userID: String, now: Timestamp = .now()
    ) async throws -> String? {
        // 128 random bits: whoever does not know an address does not find it.
        var generator = SystemRandomNumberGenerator()
        let address = Base64URL.text(of: (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
        let picture = PersonPicture(userID: userID, type: type, bytes: bytes)
        let isStored = try await database.write {
            try $0.accounts.setPicture(picture, address: address, now: now)
        }
        return isStored ? address : nil
    }

    /// Removes a person's picture, whether they have uploaded it or Google gave it.
    ///
    /// - Throws: `ActLimitReached`.
    package func removePicture(userID: String, now: Timestamp = .now()) async throws {
        try await database.write { try $0.accounts.removePicture(userID: userID, now: now) }
    }
}
