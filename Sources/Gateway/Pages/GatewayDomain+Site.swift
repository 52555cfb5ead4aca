extension GatewayDomain {
    /// The pages of no domain: Feed, Explore and Library, to which the navigation leads.
    static let site = GatewayDomain(
        "site",
        pages: [
            SitePage("/", module: "site/feed.js", section: "feed"),
            SitePage("/feed", module: "site/feed.js", section: "feed"),
            SitePage("/explore", module: "site/explore.js", section: "explore"),
            SitePage("/library", module: "library/library.js", section: "library"),
        ])
}
