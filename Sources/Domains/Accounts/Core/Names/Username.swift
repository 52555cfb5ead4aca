import Model

/// The rule of usernames, and how two of them are compared.
///
/// A username is part of addresses and is typed by others, so it has only characters that every keyboard has and that
/// look like no others.
package enum Username {
    /// In characters, each of which is one byte.
    package static let lengths = 2...30

    /// A sentence for people.
    package static let rule =
        "A username has 2 to 30 characters, each of them a lowercase letter from a to z, a digit, '_' or '.', and at least "
        + "one of them is a letter or a digit."

    /// The time for which a person keeps a username before they may choose another.
    package static let changeInterval = Duration.seconds(30 * 86_400)
    /// The time for which nobody else gets a username that a person gave up.
    package static let formerHold = Duration.seconds(90 * 86_400)
    /// The time for which nobody gets the usernames of a person who was erased.
    package static let erasedHold = Duration.seconds(365 * 86_400)

    /// Whether a text can be a username.
    package static func isValid(_ text: String) -> Bool {
        lengths.contains(text.utf8.count) && text.utf8.allSatisfy { isLetterOrDigit($0) || isSeparator($0) }
            && text.utf8.contains(where: isLetterOrDigit)
    }

    static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
    }

    static func isSeparator(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".") }

    /// The key by which usernames are unique: case and dots do not tell them apart. For names from before this rule,
    /// accents do not either.
    package static func key(of name: String) -> String {
        let folded = FoldedText.scalars(of: name).filter { $0 != "." }
        return folded.isEmpty ? name : FoldedText.composed(String(String.UnicodeScalarView(folded)))
    }

    /// Whether people cannot choose a name because it belongs to the site, or reads as if it did. An administrator at
    /// the command line can give it, unless it is a ``isPath(_:)``.
    package static func isReserved(_ name: String) -> Bool { isPath(name) || reserved.contains(key(of: name)) }

    /// Whether a name cannot be anybody's, because the addresses of its person's profile lead elsewhere.
    package static func isPath(_ name: String) -> Bool { paths.contains(key(of: name)) }

    /// What follows `/v1/users/` and `/users/` in the addresses of something else than a person, as keys.
    package static let paths: Set<String> = ["suggestions"]

    /// As keys.
    private static let reserved: Set<String> = [
        // Who runs the site.
        "abuse", "admin", "admins", "administrator", "administrators", "backline", "contact", "help", "helpdesk",
        "hostmaster", "info", "mod", "moderator", "moderators", "noreply", "no_reply", "official", "operator", "owner",
        "postmaster", "privacy", "root", "security", "service", "staff", "support", "sysadmin", "system", "team",
        "trust", "verified", "webmaster",
        // Nobody, and everybody.
        "all", "anonymous", "deleted", "deleted_person", "everybody", "everyone", "guest", "here", "me", "myself",
        "nobody", "none", "null", "person", "self", "somebody", "someone", "undefined", "unknown", "user", "you",
        // Parts of addresses.
        "about", "account", "accounts", "ai", "api", "assets", "auth", "block", "blocked", "blocks", "catalog",
        "changes", "concerts", "edit", "events", "explore", "feed", "follow", "follower", "followers", "following",
        "health", "healthz", "home", "invitation", "invitations", "invite", "jobs", "library", "listens", "login",
        "logout", "messages", "metrics", "new", "notifications", "people", "pictures", "playlists", "previews",
        "profile", "readyz", "register", "report", "reports", "requests", "search", "session", "settings", "setup",
        "sign_in", "sign_out", "sign_up", "signin", "signout", "signup", "stats", "static", "threads",
        "tokens", "top", "users", "v1", "www",
    ]
}
