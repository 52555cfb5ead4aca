import Model
import Storage
import Visibility

/// Where a person's picture is: at an address of this site once they have uploaded one, else perhaps at Google.
package struct ProfilePicture: Sendable, Equatable {
    /// The address of the uploaded picture (``AccountStore/picture(at:)``), which is shown rather than Google's.
    package let uploaded: String?
    /// The address of the picture that Google gave; `https` only.
    package let googleURL: String?

    /// Of the table `users`.
    static let columns = SQL("users.picture_address, users.picture_url")

    init(row: Row) throws {
        uploaded = try row["picture_address"]
        googleURL = try row["picture_url"]
    }
}

/// A picture that a person has uploaded, as it is shown.
package struct PersonPicture: Sendable, Equatable {
    /// Whose picture it is.
    package let userID: String
    /// The media type.
    package let type: String
    package let bytes: [UInt8]
}

extension AccountStore {
    /// The picture at an address, as long as its person has no other one and has not removed it. Whether a reader may
    /// see it is the caller's question.
    package func picture(at address: String) throws -> PersonPicture? {
        try transaction.row("SELECT user_id, type, bytes FROM person_pictures WHERE address = \(address)").map {
            PersonPicture(userID: try $0["user_id"], type: try $0["type"], bytes: try $0["bytes"])
        }
    }
}

extension AccountStore where Access == WriteTransaction {
    /// Stores a person's picture in place of an earlier one, whose address then leads nowhere.
    ///
    /// - Parameter address: has to be new.
    /// - Returns: `false` when there is no such person.
    /// - Throws: `ActLimitReached`.
    func setPicture(_ picture: PersonPicture, address: String, now: Timestamp) throws -> Bool {
        let userID = picture.userID
        guard try user(id: userID) != nil else { return false }
        try countProfileChange(ofUser: userID, now: now)
        try transaction.run(
            """
            INSERT INTO person_pictures (user_id, address, type, bytes, created_at)
            VALUES (\(userID), \(address), \(picture.type), \(picture.bytes), \(now))
            ON CONFLICT (user_id) DO UPDATE SET
                address = excluded.address, type = excluded.type, bytes = excluded.bytes,
                created_at = excluded.created_at
            """)
        try transaction.run(
            "UPDATE users SET picture_address = \(address), updated_at = \(now) WHERE id = \(userID)")
        try transaction.visibility.recordProfile(ofUser: userID)
        return true
    }

    /// Removes a person's picture, whether they have uploaded it or Google gave it.
    ///
    /// - Throws: `ActLimitReached`.
    func removePicture(userID: String, now: Timestamp) throws {
        let hasPicture = try transaction.row(
            """
            SELECT 1 FROM users
            WHERE id = \(userID) AND (picture_address IS NOT NULL OR picture_url IS NOT NULL)
            """)
        guard hasPicture != nil else { return }
        try countProfileChange(ofUser: userID, now: now)
        try transaction.run("DELETE FROM person_pictures WHERE user_id = \(userID)")
        try transaction.run(
            """
            UPDATE users SET picture_address = NULL, picture_url = NULL, updated_at = \(now) WHERE id = \(userID)
            """)
        try transaction.visibility.recordProfile(ofUser: userID)
    }
}
