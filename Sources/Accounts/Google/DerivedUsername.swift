import Model
import Storage

/// The username of somebody who never chose one. They can change it.
enum DerivedUsername {
    /// In Unicode scalars, so that a number fits behind it.
    static let maximumLength = 80
    /// Of people of whom nothing is known.
    static let fallback = "listener"
    /// The numbers that are tried in their order; whoever is after them gets a random one.
    static let numbers = 2...50

    /// The words of the name, in lower case and without accents; without a name those of what stands before the `@`.
    ///
    /// The name goes first since others see usernames, and few want them to see their address.
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

    /// A username that nobody has. The transaction that asks has to insert it: writers queue, so that nobody comes
    /// between, and the unique index would refuse who did.
    static func free(_ base: String, in reader: some SQLReader) throws -> String {
        if try reader.accounts.user(named: base) == nil { return base }
        for number in numbers {
            let name = "\(base)-\(number)"
            if try reader.accounts.user(named: name) == nil { return name }
        }
        return "\(base)-\(UInt32.random(in: 100_000...(.max)))"
    }
}
