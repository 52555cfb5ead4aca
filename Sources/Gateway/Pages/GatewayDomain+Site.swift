extension GatewayDomain {
    /// The pages that belong to no domain: where the site's navigation leads.
    static let site = GatewayDomain(
        "site",
        pages: [
            SitePage("/", module: "pages/feed.js", section: "feed"),
            SitePage("/feed", module: "pages/feed.js", section: "feed"),
            SitePage("/explore", module: "pages/explore.js", section: "explore"),
            SitePage("/library", module: "pages/library.js", section: "library"),
        ])
}
