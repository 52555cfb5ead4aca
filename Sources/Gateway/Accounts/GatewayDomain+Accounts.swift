import Accounts

extension GatewayDomain {
    /// Signing in and out, profiles, people's own tokens and sessions, and the export and erasure of their data.
    ///
    /// - Parameters:
    ///   - google: `nil` when nobody can sign in with Google.
    ///   - removeFiles: removes the files that are waiting to be imported for a person who is gone.
    static func accounts(
        _ services: GatewayServices, google: GoogleSignInClient?,
        removeFiles: @escaping @Sendable (_ userID: String) async -> Void
    ) -> GatewayDomain {
        let (accounts, credentials, cookie) = (services.accounts, services.credentials, services.cookie)
        let maximumBodyBytes = services.maximumBodyBytes
        let google = GoogleService(queue: services.queue, sealer: services.sealer, client: google)
        let erasure = UserErasure(
            accounts: accounts, queue: services.queue, tables: services.personalTables, removeFiles: removeFiles)
        return GatewayDomain(
            "accounts",
            routes: { routing in
                SessionRoutes(
                    accounts: accounts, credentials: credentials, cookie: cookie, site: services.origin,
                    throttle: routing.throttle, maximumBodyBytes: maximumBodyBytes
                ).add(to: routing.open, routing.signedIn)
                GoogleRoutes(
                    service: google, credentials: credentials, cookie: cookie, throttle: routing.throttle,
                    site: services.address, maximumBodyBytes: maximumBodyBytes,
                    starts: SignInStarts(proxies: services.proxies, now: routing.now)
                ).add(to: routing.open)
                ProfileRoutes(
                    accounts: accounts, credentials: credentials, queue: services.queue, erasure: erasure,
                    pictures: services.pictures, cookie: cookie, maximumBodyBytes: maximumBodyBytes
                ).add(to: routing.signedIn)
                ExportRoutes(database: services.database, tables: services.personalTables).add(to: routing.signedIn)
                OwnCredentialRoutes(
                    accounts: accounts, credentials: credentials, maximumBodyBytes: maximumBodyBytes
                ).add(to: routing.signedIn)
            },
            upkeepSteps: [
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
                SitePage("/sign-in", module: "accounts/sign-in.js", section: nil, isPublic: true),
            ])
    }
}
