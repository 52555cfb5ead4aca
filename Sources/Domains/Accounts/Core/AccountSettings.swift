import Settings

/// The settings of people's accounts.
package struct AccountSettings: SettingsSection {
    /// Who gets a new account by signing in with Google.
    package var signUp: SignUpPolicy

    /// Who may invite others.
    package var invitations: InvitationPolicy

    package static let keys = [googleSignUp.summary, whoInvites.summary]

    package init(reading reader: inout ConfigurationReader) {
        signUp = reader.value(Self.googleSignUp)
        invitations = reader.value(Self.whoInvites)
    }

    private static let googleSignUp = ConfigurationKey(
        "google.signUp", .signUp, default: .everyone,
        meaning: """
            Who gets a new account by signing in with Google: everyone whom your OAuth client admits (only test users
            until you publish the app in Google's console), nobody, or a list of e-mail addresses and Google Workspace
            domains, separated by commas, such as ada@gmail.com, @example.org. People who have an account can always
            sign in.
            """)

    private static let whoInvites = ConfigurationKey(
        "accounts.invitations", .choice, default: InvitationPolicy.administrators,
        meaning: """
            Who may invite others: administrators, or everyone who has an account. An invitation is a link that
            creates one account, within seven days. 'backline user invite' creates one, too.
            """)
}

extension ConfigurationRule where Value == SignUpPolicy {
    fileprivate static var signUp: Self {
        Self(
            allowed: "everyone, nobody, or e-mail addresses and domains such as @example.org, separated by commas",
            parse: { SignUpPolicy($0) }, text: { $0.text })
    }
}
