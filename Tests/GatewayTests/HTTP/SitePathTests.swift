import Testing

@testable import Gateway

@Suite("Paths of this site")
struct SitePathTests {
    @Test(
        "Paths of this site are recognized",
        arguments: [
            "/", "/feed", "/setup/spotify?from=card", "/explore?q=a//b/../c", "/library/artists?name=AC%2FDC",
            "/a/.b/c..",
            "/...", "/a//b",
        ])
    func pathsOfThisSite(_ text: String) {
        #expect(SitePath.isPath(text))
    }

    @Test(
        "Text that a browser may treat as the address of another site is refused",
        arguments: [
            "", "feed", "//evil.example", "/\\evil.example", "https://evil.example/", "/.//evil.example/feed",
            "/./feed", "/a/..//evil.example", "/../feed", "/feed/..", "/.", "/%2e//evil.example",
            "/a/%2E%2e//evil.example",
            "/a/.%2E//evil.example", "/feed#bll_code", "/\t/evil.example", "/fe ed", "/é",
        ])
    func addressesOfOtherSites(_ text: String) {
        #expect(!SitePath.isPath(text))
    }
}
