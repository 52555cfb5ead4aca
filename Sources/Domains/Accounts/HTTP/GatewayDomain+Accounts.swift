import Accounts
import DomainEvents
import Gateway
import Pictures
import Vault

extension GatewayDomain {
    /// Signing in and out, profiles and their pictures, people's own tokens and sessions, and the export and erasure of
    /// their data.
    ///
    /// - Parameters:
    ///   - google: `nil` when nobody can sign in with Google.
    ///   - pictureHelper: reads the pictures that people upload.
    ///   - erasedHandlers: what other domains do when a person is erased.
    ///   - textKeys: open the private texts of an export.
    package static func accounts(
        _ services: GatewayServices, settings: AccountSettings, google: GoogleSignInClient?,
        pictureHelper: PictureHelper, erasedHandlers: [PersonErasedHandler], textKeys: CurrentTextKeys
    ) -> GatewayDomain {
        let (accounts, credentials, cookie) = (services.accounts, services.credentials, services.cookie)
        let maximumBodyBytes = services.maximumBodyBytes
        let google = GoogleService(queue: services.queue, sealer: services.sealer, client: google)
        let erasure = UserErasure(
            accounts: accounts, queue: services.queue, tables: services.personalTables,
            erasedHandlers: erasedHandlers)
        return GatewayDomain(
            "accounts",
            routes: { routing in
                let sessions = SessionRoutes(
                    accounts: accounts, credentials: credentials, cookie: cookie, site: services.origin,
                    throttle: routing.throttle, maximumBodyBytes: maximumBodyBytes)
                sessions.add(to: routing.open, routing.signedIn)
                InvitationRoutes(
                    accounts: accounts, policy: settings.invitations, sessions: sessions, address: services.address
                ).add(to: routing.open, routing.signedIn)
                let recentSignIn = RecentSignIn(accounts: accounts, throttle: routing.throttle)
                GoogleRoutes(
                    service: google, credentials: credentials, cookie: cookie, throttle: routing.throttle,
                    site: services.address, maximumBodyBytes: maximumBodyBytes,
                    starts: SignInStarts(proxies: services.proxies, now: routing.now)
                ).add(to: routing.open)
                ProfileRoutes(
                    accounts: accounts, credentials: credentials, queue: services.queue, erasure: erasure,
                    pictures: services.pictures, cookie: cookie, recentSignIn: recentSignIn,
                    invitations: settings.invitations, maximumBodyBytes: maximumBodyBytes
                ).add(to: routing.signedIn)
                PeopleRoutes(
                    database: services.database, pictures: services.pictures, limit: SearchLimit(now: routing.now)
                ).add(to: routing.signedIn)
                AccountAdminRoutes(
                    accounts: accounts, credentials: credentials, erasure: erasure, recentSignIn: recentSignIn,
                    maximumBodyBytes: maximumBodyBytes
                ).add(to: routing.signedIn)
                PersonPictureRoutes(
                    accounts: accounts, database: services.database, helper: pictureHelper, metrics: services.metrics
                ).add(to: routing.signedIn)
                ExportRoutes(
                    database: services.database, tables: services.personalTables, textKeys: textKeys
                ).add(to: routing.signedIn)
                OwnCredentialRoutes(
                    accounts: accounts, credentials: credentials, maximumBodyBytes: maximumBodyBytes
                ).add(to: routing.signedIn)
            },
            upkeepSteps: [
                UpkeepStep("replaceOldNames", every: pruneInterval, startsAtOnce: true) {
                    try await accounts.replaceOldNames()
                },
                UpkeepStep("writeUses", every: .seconds(60), runsAtEnd: true) { try await credentials.writeUses() },
                UpkeepStep(pruning: "pruneSessions", every: pruneInterval, startsAtOnce: true) { time in
                    try await accounts.prune(at: time)
                },
                UpkeepStep("limitSignIns", every: .seconds(10)) { try await google.limitAttempts() },
                UpkeepStep("eraseMarked", every: .seconds(10)) { try await erasure.eraseMarked() },
                UpkeepStep("eraseLeftovers", every: pruneInterval, startsAtOnce: true) {
                    try await erasure.eraseLeftovers()
                },
            ],
            pages: [
                SitePage("/profile", module: "accounts/profile.js", section: "profile"),
                SitePage("/profile/edit", module: "accounts/profile-edit.js", section: "profile"),
                SitePage("/profile/settings", module: "accounts/settings.js", section: "profile"),
                SitePage("/profile/invitations", module: "accounts/invitations.js", section: "profile"),
                SitePage("/welcome", module: "accounts/welcome.js", section: "feed"),
                SitePage("/invitation", module: "accounts/invitation.js", section: nil, isPublic: true),
                SitePage("/operations/accounts", module: "operations/accounts.js", section: "operations"),
                SitePage("/sign-in", module: "accounts/sign-in.js", section: nil, isPublic: true),
            ])
    }
}
