import Testing

@testable import Identity

@Suite("Titles of releases")
struct ReleaseTitleTests {
    @Test(
        "Editions have one key",
        arguments: [
            "HARBOR", "Harbor (Deluxe Edition)", "Harbor [Explicit]", "Harbor (2011 Remaster)", "Harbor - Remastered",
            "Harbor (Deluxe)", "Harbor (Expanded Edition)", "Harbor (Clean)", "Hàrbor",
        ])
    func editions(title: String) {
        #expect(ReleaseTitle(title) == ReleaseTitle("Harbor"))
    }

    @Test(
        "Other takes, other parts and other names have keys of their own",
        arguments: [
            "Harbor (Live)", "Harbor (Acoustic)", "Harbor (Remixes)", "Harbor (Part 2)", "Harbor (Nora's Version)",
            "Harbor II", "Harbors", "", "Harbor (Instrumental)", "Harbor (Otto Reif Remix)",
        ])
    func otherReleases(title: String) {
        #expect(ReleaseTitle(title) != ReleaseTitle("Harbor"))
    }

    @Test(
        "Keys are short and of ASCII, whatever the title", arguments: ["", "森明子", "÷", "🙂", "(Live)", "The Reason EP"])
    func keys(title: String) {
        let key = ReleaseTitle(title).key
        #expect(!key.isEmpty && key.utf8.count < 200 && key.utf8.allSatisfy { $0 < 0x80 })
        #expect(ReleaseTitle(String(repeating: title, count: 200)).key.utf8.count < 2_000)
    }

    @Test("Titles of signs differ")
    func signs() {
        #expect(ReleaseTitle("+") != ReleaseTitle("÷"))
        #expect(ReleaseTitle("Harbor (Deluxe with Remixes)") == ReleaseTitle("Harbor"))
        #expect(ReleaseTitle("Harbor (Live)") == ReleaseTitle("Harbor (Live / Deluxe)"))
    }
}
