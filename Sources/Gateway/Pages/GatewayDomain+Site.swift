extension GatewayDomain {
    /// The pages that belong to no domain: where the site's navigation leads.
    static let site = GatewayDomain(
        "site",
        pages: [
            SitePage("/", module: "shell/feed.js", section: "feed"),
            SitePage("/feed", module: "shell/feed.js", section: "feed"),
            SitePage("/explore", module: "shell/explore.js", section: "explore"),
            SitePage("/library", module: "shell/library.js", section: "library"),
        ])
}
