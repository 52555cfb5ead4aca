import Foundation
import Model
import Storage
import Visibility

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
    package var homeCity: Value?
    package var timeZone: Value?
    package var visibility: ProfileVisibility?
    package var showsListeningStats: Bool?
    /// Whether the last former username leads to the profile.
    package var formerUsernameLeadsOn: Bool?
    /// Whether the cards of the first sign-in are yet to be shown.
    package var showsOnboarding: Bool?

    package init() {}

    /// A field of a profile, named as in requests. Only Google gives a `pictureURL`.
    package enum Field: String, Sendable {
        case username, displayName, bio, pictureURL, homeCity, timeZone, formerUsernameLeadsOn

        /// In Unicode scalars.
        package var maximumLength: Int {
            switch self {
            case .username: Username.lengths.upperBound
            case .displayName, .homeCity, .timeZone: 100
            case .bio: 500
            case .pictureURL: 2_000
            case .formerUsernameLeadsOn: 0
            }
        }
    }

    /// - Throws: ``ProfileError``.
    func applied(to profile: ProfileRecord) throws -> ProfileRecord {
        var profile = profile
        if let username {
            let name = username.trimmingCharacters(in: .whitespacesAndNewlines)
            // A name from before the rule may be sent back unchanged.
            if name != profile.username {
                let count = name.unicodeScalars.count
                guard count <= Field.username.maximumLength else {
                    throw ProfileError(field: .username, reason: .tooLong(count: count))
                }
                guard Username.isValid(name) else { throw ProfileError(field: .username, reason: .noUsername) }
            }
            profile.username = name
        }
        try Self.set(displayName, .displayName, &profile.displayName)
        try Self.set(bio, .bio, &profile.bio)
        try Self.set(homeCity, .homeCity, &profile.homeCity)
        try Self.set(timeZone, .timeZone, &profile.timeZone)
        profile.showsOnboarding = showsOnboarding ?? profile.showsOnboarding
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
        let shown =
            switch field {
            case .displayName: DisplayName.cleaned(text)
            case .bio: WrittenText.cleaned(text)
            default: text
            }
        let trimmed = shown.trimmingCharacters(in: .whitespacesAndNewlines)
        let scalars = trimmed.unicodeScalars
        guard scalars.count <= field.maximumLength else {
            throw ProfileError(field: field, reason: .tooLong(count: scalars.count))
        }
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
        case noUsername, usernameTaken, reservedUsername, noFormerUsername
        case changedRecently(until: Timestamp)
        /// The text has so many Unicode scalars.
        case tooLong(count: Int)
        case controlCharacter, noPictureURL, noTimeZone
    }

    package let field: ProfileChange.Field
    package let reason: Reason

    package init(field: ProfileChange.Field, reason: Reason) {
        (self.field, self.reason) = (field, reason)
    }

    package var description: String {
        switch reason {
        case .noUsername: "This cannot be a username. \(Username.rule)"
        case .usernameTaken: "This username, or one that differs from it only in dots, is not free. Choose another one."
        case .reservedUsername: "This username is reserved. Choose another one."
        case .changedRecently(let until):
            "You have chosen your username within the last 30 days. You can choose another one from \(until)."
        case .noFormerUsername: "You have not given up a username within the last 90 days."
        case .tooLong(let count):
            "This text has \(count) characters; at most \(field.maximumLength) are allowed."
        case .controlCharacter: "Control characters are not allowed. Leave them out."
        case .noTimeZone: "Give the name of a time zone, such as Europe/Prague."
        case .noPictureURL: "Give an https:// address without a username or password."
        }
    }
}
