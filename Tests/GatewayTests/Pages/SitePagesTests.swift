import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import TestSupport
import Testing

@testable import Gateway

@Suite("The pages of the domains")
struct SitePagesTests {
    private struct Entry: Decodable, Equatable {
        var path: String
        var module: String
        var styles: [String]
        var section: String?
        var link: Link?
        var isPublic: Bool
        var ownDocument: Bool?

        struct Link: Decodable, Equatable {
            var label: String
            var icon: String
        }
    }

    @Test(
        "A parameter is one segment of letters, digits, hyphens, dots and underscores",
        arguments: [
            ("/a", true), ("/a/b", false), ("/a/b/c", true), ("/a/b_1-C/c", true), ("/a/b.c/c", true), ("/a//c", false),
            ("/a/b c/c", false),
            ("/a/%20/c", false), ("/a/b/d", false), ("/a/b/c/", false), ("/a/:b/c", false), ("", false), ("/", false),
        ])
    func parametersOfPaths(path: String, isPage: Bool) {
        let pages = SitePages([
            SitePage("/a", module: "a.js", section: nil), SitePage("/a/:b/c", module: "b.js", section: nil),
        ])
        #expect((pages.page(at: path) != nil) == isPage)
    }

    @Test("A page with a policy of its own is marked in the table, since it needs a document of its own")
    func ownDocument() throws {
        let policy = PagePolicy(scripts: ["https://a.test"], connections: [], frames: [])
        let pages = SitePages([
            SitePage("/a", module: "a.js", section: nil), SitePage("/b", module: "b.js", section: nil, policy: policy),
        ])
        #expect(pages.policies == ["/b": policy])
        let text = String(decoding: pages.index().plain.bytes, as: UTF8.self)
        #expect(text.ranges(of: #""ownDocument":true"#).count == 1)
    }

    @Test("A page's link is in the table, with the section that shows it and a picture that exists")
    func links() async throws {
        let icons = try Repository.text("Services/api-gateway/Web/assets/ui/icons.js")
        try await TestGateway.run { gateway in
            let linked = gateway.application.domains.flatMap(\.pages).filter { $0.link != nil }
            #expect(linked.map(\.path).contains("/listening"))
            for page in linked {
                #expect(page.section == "library", "no other section shows the links of its pages")
                #expect(page.link.map { icons.contains("\n    \($0.icon): ") } == true, "\(page.path)")
            }
        }
        let pages = SitePages([
            SitePage("/a", module: "a.js", section: "library", link: PageLink("A \"B\"", icon: "waves"))
        ])
        let text = String(decoding: pages.index().plain.bytes, as: UTF8.self)
        #expect(text.contains(#""section":"library","link":{"label":"A \"B\"","icon":"waves"},"isPublic":false"#))
    }

    @Test("The pages' table has every page of every domain, and each page has its module")
    func tableOfPages() async throws {
        let folder = try WebFolder(path: Repository.path("Services/api-gateway/Web"))
        try await TestGateway.run(pages: folder) { gateway in
            let pages = gateway.application.domains.flatMap(\.pages)
            #expect(Set(pages.map(\.path)).count == pages.count, "a path belongs to one page")
            try await gateway.withClient { client in
                let response = try await client.execute(uri: SitePages.indexPath, method: .get)
                #expect(response.headers[.contentType] == "text/javascript; charset=utf-8")
                let text = String(buffer: response.body)
                let parts = try #require(
                    text.wholeMatch(of: /export const pages = (.*);\nexport const eventNames = (.*);\n/))
                let entries = try JSONDecoder().decode([Entry].self, from: Data(parts.1.utf8))
                let names = try JSONDecoder().decode([String].self, from: Data(parts.2.utf8))
                #expect(names == gateway.application.domains.flatMap(\.eventSources).map(\.kind.name))
                #expect(Set(names).count == names.count && Set(names).isSuperset(of: ["concertSearch", "setup"]))
                let styles = Dictionary(uniqueKeysWithValues: entries.map { ($0.path, $0.styles) })
                #expect(styles["/library"]?.contains("library") == true)
                #expect(styles["/library"]?.contains("concerts") == false)
                #expect(
                    entries
                        == pages.map {
                            Entry(
                                path: $0.path, module: "../" + $0.module, styles: styles[$0.path] ?? [],
                                section: $0.section,
                                link: $0.link.map { link in .init(label: link.label, icon: link.icon) },
                                isPublic: $0.isPublic)
                        })
                for entry in entries {
                    let module = "/assets/" + entry.module.dropFirst(3)
                    #expect(folder.assets[module] != nil, "\(entry.path) has no \(module)")
                    for domain in entry.styles {
                        #expect(folder.assets["/assets/\(domain)/\(domain).css"] != nil, "\(entry.path): \(domain)")
                    }
                    let path = entry.path.replacing(/:\w+/, with: "0199-x")
                    let page = try await client.execute(uri: path, method: .get)
                    #expect(page.status == .ok && page.body.readableBytes > 0, "\(path)")
                }
            }
        }
    }
}
