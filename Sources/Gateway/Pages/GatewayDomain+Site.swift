extension GatewayDomain {
    /// The pages that belong to no domain: Feed and Explore, which the navigation links to, and those of shared songs.
    package static let site = GatewayDomain(
        "site",
        pages: [
            SitePage("/", module: "site/feed.js", section: "feed"),
            SitePage("/feed", module: "site/feed.js", section: "feed"),
            SitePage("/explore", module: "site/explore.js", section: "explore"),
            SitePage("/shares", module: "shares/own-shares.js", section: "profile"),
            SitePage("/shares/:id", module: "shares/share.js", section: "feed"),
        ])
}
