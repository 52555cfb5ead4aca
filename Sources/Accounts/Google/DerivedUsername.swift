import Model
import Storage

/// The username that a person gets at the first sign-in with Google. They can change it.
enum DerivedUsername {
    /// In Unicode scalars; a number may follow.
    static let maximumLength = 80
    /// For people without a usable name or address.
    static let fallback = "listener"
    /// The numbers that are tried in order. If all are taken, the number is random.
    static let numbers = 2...50

    /// The words of the name, in lower case and without accents; without a name, those of the address before the `@`.
    ///
    /// The name is preferred, since others see usernames, and few people want to show their address.
    static func base(name: String?, email: String?) -> String {
        let localPart = email.flatMap { $0.split(separator: "@").first }.map(String.init)
        for source in [name, localPart] {
            let words = source.map(FoldedText.words) ?? []
            let text = words.joined(separator: "-").unicodeScalars.prefix(maximumLength)
            let username = FoldedText.composed(String(String.UnicodeScalarView(text)))
            if Accounts.isName(username) { return username }
        }
        return fallback
    }

    /// A username that nobody has. The caller inserts it in the same transaction, so that nobody can take it in
    /// between.
    static func free(_ base: String, in reader: some SQLReader) throws -> String {
        if try reader.accounts.user(named: base) == nil { return base }
        for number in numbers {
            let name = "\(base)-\(number)"
            if try reader.accounts.user(named: name) == nil { return name }
        }
        return "\(base)-\(UInt32.random(in: 100_000...(.max)))"
    }
}
