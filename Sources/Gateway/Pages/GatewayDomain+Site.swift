extension GatewayDomain {
    /// The pages of no domain: Feed and Explore, to which the navigation leads.
    static let site = GatewayDomain(
        "site",
        pages: [
            SitePage("/", module: "site/feed.js", section: "feed"),
            SitePage("/feed", module: "site/feed.js", section: "feed"),
            SitePage("/explore", module: "site/explore.js", section: "explore"),
        ])
}
