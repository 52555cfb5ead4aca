extension GatewayDomain {
    /// The page that belongs to no domain: Explore, which the navigation links to.
    package static let site = GatewayDomain(
        "site", pages: [SitePage("/explore", module: "site/explore.js", section: "explore")])
}
