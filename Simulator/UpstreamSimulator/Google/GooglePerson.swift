/// A person with a Google account.
struct GooglePerson: Sendable, Equatable {
    /// The claim `sub`, which identifies the person even when the address changes.
    var subject: String
    var name: String
    /// The address; `nil` if the account shows none.
    var email: String?
    var isEmailVerified = true

    static let all = [
        GooglePerson(subject: "108204268033311374519", name: "Dana Novák", email: "dana@example.org"),
        GooglePerson(subject: "110169484474386276334", name: "Lee O'Hara", email: "lee@example.org"),
        GooglePerson(
            subject: "117201234567890123456", name: "Kim", email: "kim@example.net", isEmailVerified: false),
        GooglePerson(subject: "101112131415161718192", name: "", email: nil),
    ]

    init(subject: String, name: String, email: String?, isEmailVerified: Bool = true) {
        self.subject = subject
        self.name = name
        self.email = email
        self.isEmailVerified = isEmailVerified
    }

    init?(subject: String?) {
        guard let person = Self.all.first(where: { $0.subject == subject }) else { return nil }
        self = person
    }

    /// The person's name on the consent page.
    var label: String {
        if name.isEmpty { return email ?? subject }
        return email.map { "\(name) (\($0))" } ?? name
    }

    /// The claims about the person that the scopes allow.
    func claims(scopes: Set<String>) -> [String: JSONValue] {
        var claims: [String: JSONValue] = ["sub": .string(subject)]
        if scopes.contains("email"), let email {
            claims["email"] = .string(email)
            claims["email_verified"] = .bool(isEmailVerified)
        }
        if scopes.contains("profile"), !name.isEmpty {
            let parts = name.split(separator: " ", maxSplits: 1).map(String.init)
            claims["name"] = .string(name)
            claims["given_name"] = .string(parts[0])
            if parts.count > 1 { claims["family_name"] = .string(parts[1]) }
            claims["picture"] = .string("https://lh3.googleusercontent.com/a/\(subject.suffix(8))=s96-c")
        }
        return claims
    }
}
