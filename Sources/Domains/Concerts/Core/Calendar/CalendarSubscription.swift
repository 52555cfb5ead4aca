import Crypto
import Model
import Platform
import Storage

/// Which shows a person's calendar has.
package enum CalendarPlaces: Int64, Sendable, CaseIterable, SQLConvertible {
    /// Those in the home city and around it; all shows while the profile has no home city.
    case home = 1
    case anywhere = 2

    /// The name in the API.
    package var name: String { self == .home ? "home" : "anywhere" }

    /// - Parameter name: in the API.
    package init?(name: String) {
        guard let places = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = places
    }
}

/// A person's calendar, which programs read at an address with a secret: a row of `concert_calendars`.
package struct CalendarSubscription: Sendable, Equatable {
    package let places: CalendarPlaces
    /// When the present address was made.
    package let madeAt: Timestamp
    /// When a program last read it at this address, accurate to ``readingGranularity``; `nil` before the first time.
    package let readAt: Timestamp?

    /// How far the stored time of the last reading may lag.
    package static let readingGranularity = Duration.seconds(3_600)

    static let columns = SQL("concert_calendars.places, concert_calendars.made_at, concert_calendars.read_at")

    package init(places: CalendarPlaces, madeAt: Timestamp, readAt: Timestamp?) {
        (self.places, self.madeAt, self.readAt) = (places, madeAt, readAt)
    }

    init(row: Row) throws {
        // A value of a later version shows less rather than more.
        places = CalendarPlaces(rawValue: try row["places"]) ?? .home
        madeAt = try row["made_at"]
        readAt = try row["read_at"]
    }
}

/// The secret in a calendar's address: 256 random bits, shown once and stored as a hash.
package struct CalendarToken: Sendable {
    package let secret: Secret

    /// 43 characters of base64url.
    private static let length = 43

    package static func random() -> CalendarToken {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<4).flatMap { _ in withUnsafeBytes(of: generator.next()) { Array($0) } }
        return CalendarToken(secret: Secret(Base64URL.text(of: bytes)))
    }

    private init(secret: Secret) { self.secret = secret }

    /// - Returns: `nil` for a text that cannot be a token.
    package init?(_ text: String) {
        guard text.utf8.count == Self.length, Base64URL.bytes(of: text) != nil else { return nil }
        secret = Secret(text)
    }

    /// SHA-256 in hexadecimal. The secret is random, so a slow hash would add nothing.
    package var hash: String { SHA256.hash(data: Array(secret.reveal().utf8)).hexadecimal }
}
