import Foundation
import Model
import Storage

/// A change of a profile. Fields that are `nil` stay as they are.
package struct ProfileChange: Sendable {
    /// A text, or its absence.
    package enum Value: Sendable, Equatable {
        case text(String)
        case cleared
    }

    package var username: String?
    package var displayName: Value?
    package var bio: Value?
    package var pictureURL: Value?
    package var homeCity: Value?
    package var timeZone: Value?
    package var visibility: ProfileVisibility?
    package var showsListeningStats: Bool?
    package var pushToken: Value?

    package init() {}

    /// A field of a profile, named as in requests.
    package enum Field: String, Sendable {
        case username, displayName, bio, pictureURL, homeCity, timeZone, pushToken

        /// In Unicode scalars.
        package var maximumLength: Int {
            switch self {
            case .username, .displayName, .homeCity, .timeZone: 100
            case .bio: 500
            case .pictureURL: 2_000
            case .pushToken: 4_096
            }
        }
    }

    /// - Throws: ``ProfileError``.
    func applied(to profile: ProfileRecord) throws -> ProfileRecord {
        var profile = profile
        if let username {
            let name = username.trimmingCharacters(in: .whitespacesAndNewlines)
            guard Accounts.isName(name) else { throw ProfileError(field: .username, reason: .noUsername) }
            profile.username = name
        }
        try Self.set(displayName, .displayName, &profile.displayName)
        try Self.set(bio, .bio, &profile.bio)
        try Self.set(pictureURL, .pictureURL, &profile.pictureURL)
        try Self.set(homeCity, .homeCity, &profile.homeCity)
        try Self.set(timeZone, .timeZone, &profile.timeZone)
        try Self.set(pushToken, .pushToken, &profile.pushToken)
        profile.visibility = visibility ?? profile.visibility
        profile.showsListeningStats = showsListeningStats ?? profile.showsListeningStats
        return profile
    }

    static func set(_ value: Value?, _ field: Field, _ target: inout String?) throws {
        guard let value else { return }
        guard case .text(let text) = value else {
            target = nil
            return
        }
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let scalars = trimmed.unicodeScalars
        guard scalars.count <= field.maximumLength else { throw ProfileError(field: field, reason: .tooLong) }
        let isLine = field != .bio
        guard scalars.allSatisfy({ $0.properties.generalCategory != .control || !isLine && $0 == "\n" }) else {
            throw ProfileError(field: field, reason: .controlCharacter)
        }
        if field == .pictureURL, !trimmed.isEmpty, !isPictureURL(trimmed) {
            throw ProfileError(field: field, reason: .noPictureURL)
        }
        if field == .timeZone, !trimmed.isEmpty, TimeZone(identifier: trimmed) == nil {
            throw ProfileError(field: field, reason: .noTimeZone)
        }
        target = trimmed.isEmpty ? nil : trimmed
    }

    /// Only `https`: without TLS, others on the network could see and replace the picture.
    private static func isPictureURL(_ text: String) -> Bool {
        guard let parts = URLComponents(string: text), parts.scheme?.lowercased() == "https",
            let host = parts.host, !host.isEmpty
        else { return false }
        return parts.user == nil && parts.password == nil
    }
}

/// Why a change of a profile is refused. The texts are for people.
package struct ProfileError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Reason: Sendable, Equatable {
        case noUsername, usernameTaken, tooLong, controlCharacter, noPictureURL, noTimeZone
    }

    package let field: ProfileChange.Field
    package let reason: Reason

    package var description: String {
        switch reason {
        case .noUsername: "This cannot be a username. \(Accounts.nameRule)"
        case .usernameTaken: "Somebody already has this username, or one that differs only in case or accents."
        case .tooLong: "Use at most \(field.maximumLength) characters."
        case .controlCharacter: "Control characters are not allowed. Leave them out."
        case .noTimeZone: "Give the name of a time zone, such as Europe/Prague."
        case .noPictureURL: "Give an https:// address without a username or password."
        }
    }
}
