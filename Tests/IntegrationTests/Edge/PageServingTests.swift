import Foundation
import TestProcesses
import Testing

@Suite("Pages of a running gateway", .timeLimit(.minutes(20)))
struct PageServingTests {
    @Test("The pages that were built with the gateway are served, and a client that has them gets 304")
    func servedPages() async throws {
        try await Installation.run { installation in
            try await installation.startGateway()
            let visitor = installation.visitor
            let shell = try await visitor.get("/explore/concerts/0199", headers: ["Accept": "text/html"])
            // The text of a response is its beginning only.
            let document = String(decoding: shell.body, as: UTF8.self)
            #expect(shell.status == 200 && shell.header("Content-Type") == "text/html; charset=utf-8")
            #expect(shell.header("Content-Security-Policy")?.contains("script-src 'self'") == true)
            // Every asset that the shell names is served, and the page has no inline script or style.
            let names = document.matches(of: /(?:src|href)="(\/assets\/[^"]+)"/).map { String($0.1) }
            #expect(!names.isEmpty)
            for name in names {
                let asset = try await visitor.get(name)
                #expect(asset.status == 200, "\(name)")
                #expect(asset.header("Cache-Control") == "public, max-age=31536000, immutable", "\(name)")
                let tag = try #require(asset.header("ETag"))
                let again = try await visitor.get(name, headers: ["If-None-Match": tag])
                #expect(again.status == 304 && again.body.isEmpty, "\(name)")
            }
            #expect(document.firstMatch(of: /<script>|<style>|style="|onclick=/) == nil)
            let worker = try await visitor.get("/service-worker.js")
            #expect(worker.status == 200 && worker.header("Cache-Control") == "no-cache")
            #expect(document.contains("<link rel=\"manifest\" href=\"/manifest.webmanifest\">"))
            let manifest = try await visitor.get("/manifest.webmanifest")
            #expect(manifest.header("Content-Type") == "application/manifest+json")
            let icons = String(decoding: manifest.body, as: UTF8.self).matches(of: /"src": "([^"]+)"/)
            #expect(!icons.isEmpty)
            for icon in icons { #expect(try await visitor.get(String(icon.1)).status == 200, "\(icon.1)") }
            let nowhere = try await visitor.get("/nowhere", headers: ["Accept": "text/html"])
            let other = String(decoding: nowhere.body, as: UTF8.self)
            #expect(nowhere.status == 404 && other.contains("/shell/not-found.js"))
            #expect(document.contains("/concerts/results.js") && !other.contains("/concerts/results.js"))
        }
    }

    @Test("A gateway without pages says so at its start and serves the API")
    func withoutPages() async throws {
        try await Installation.run { installation in
            let gateway = try await installation.startGateway(
                environment: ["BACKLINE_HTTP_WEB_ROOT": "\(installation.folder)/nothing"])
            try await gateway.waitForLog("There are no web pages")
            try await gateway.waitForLog("\(installation.folder)/nothing/index.html")
            let page = try await installation.visitor.get("/")
            #expect(try page.status == 503 && page.problem.code == "pagesUnavailable")
            #expect(try await installation.visitor.get("/readyz").status == 200)
            #expect(try await installation.addUser().allJobs().isEmpty)
        }
    }
}
