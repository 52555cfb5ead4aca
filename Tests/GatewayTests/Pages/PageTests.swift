import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import Gateway

@Suite("Web pages")
struct PageTests {
    private func withPages(_ body: @escaping @Sendable (any TestClientProtocol) async throws -> Void) async throws {
        let sample = try SamplePages()
        try await TestGateway.run(pages: try WebFolder(path: sample.path)) { try await $0.withClient(body) }
    }

    private func text(_ response: TestResponse) -> String { String(buffer: response.body) }

    @Test(
        "Every page is the shell",
        arguments: [
            "/", "/feed", "/shares", "/shares/0199-x", "/explore", "/explore/concerts", "/explore/concerts/0199-x",
            "/library", "/profile", "/operations", "/sign-in", "/?x=1", "/explore/concerts?city=Prague",
        ])
    func everyPageIsTheShell(path: String) async throws {
        try await withPages { client in
            let response = try await client.execute(uri: path, method: .get)
            #expect(response.status == .ok)
            #expect(text(response) == SamplePages.files["index.html"])
            #expect(response.headers[.contentType] == "text/html; charset=utf-8")
        }
    }

    @Test("A page may load and run the site's own files only, and no site may frame it")
    func securityHeaders() async throws {
        try await withPages { client in
            let headers = try await client.execute(uri: "/feed", method: .get).headers
            let policy = Set(
                try #require(headers[.contentSecurityPolicy]).split(separator: ";").map {
                    $0.drop { $0 == " " }
                })
            for directive in [
                "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:",
                "connect-src 'self'", "worker-src 'self'", "manifest-src 'self'", "frame-ancestors 'none'",
                "base-uri 'none'", "form-action 'self'",
            ] {
                #expect(policy.contains(directive[...]), "\(directive)")
            }
            #expect(!policy.contains { $0.contains("unsafe") })
            #expect(headers[.xContentTypeOptions] == "nosniff")
            #expect(headers[.referrerPolicy] == "no-referrer")
            #expect(headers[.crossOriginOpenerPolicy] == "same-origin")
            #expect(headers[.cacheControl] == "no-cache")
            // Errors and data must not be shown as pages either.
            for path in ["/healthz", "/v1/jobs", "/nowhere", "/assets/app.js"] {
                let response = try await client.execute(uri: path, method: .get)
                #expect(response.headers[.xContentTypeOptions] == "nosniff", "\(path)")
            }
        }
    }

    @Test("The service worker and the manifest are at the root, and browsers ask for them again each time")
    func rootFiles() async throws {
        let files = ["service-worker.js": "// a worker", "manifest.webmanifest": "{}"]
        let sample = try SamplePages(SamplePages.files.merging(files) { $1 })
        try await TestGateway.run(pages: try WebFolder(path: sample.path)) { gateway in
            try await gateway.withClient { client in
                for (name, text) in files {
                    let response = try await client.execute(uri: "/\(name)", method: .get)
                    #expect(response.status == .ok && String(buffer: response.body) == text)
                    #expect(response.headers[.cacheControl] == "no-cache")
                    let tag = try #require(response.headers[.eTag])
                    let again = try await client.execute(
                        uri: "/\(name)", method: .get, headers: [.ifNoneMatch: tag])
                    #expect(again.status == .notModified)
                    let post = try await client.execute(uri: "/\(name)", method: .post)
                    #expect(post.status == .methodNotAllowed)
                }
                let worker = try await client.execute(uri: "/service-worker.js", method: .get).headers
                #expect(worker[.contentType] == "text/javascript; charset=utf-8")
                #expect(worker[.contentSecurityPolicy] == "default-src 'none'; img-src 'self'")
                let manifest = try await client.execute(uri: "/manifest.webmanifest", method: .get).headers
                #expect(manifest[.contentType] == "application/manifest+json")
                #expect(manifest[.contentSecurityPolicy] == nil)
            }
        }
        try await withPages { client in
            for name in files.keys {
                let answer = try await client.execute(uri: "/\(name)", method: .get)
                #expect(answer.status == .notFound, "\(name)")
            }
        }
    }

    @Test("An asset has its type and entity tag, and a client that has it gets 304")
    func assetsWithEntityTags() async throws {
        try await withPages { client in
            let response = try await client.execute(uri: "/assets/pages/feed.js", method: .get)
            #expect(response.status == .ok && text(response) == "export {}")
            #expect(response.headers[.contentType] == "text/javascript; charset=utf-8")
            let tag = try #require(response.headers[.eTag])
            let again = try await client.execute(
                uri: "/assets/pages/feed.js", method: .get, headers: [.ifNoneMatch: "\"other\", \(tag)"])
            #expect(again.status == .notModified && again.body.readableBytes == 0)
            #expect(again.headers[.eTag] == tag && again.headers[.cacheControl] == "no-cache")
            let changed = try await client.execute(
                uri: "/assets/pages/feed.js", method: .get, headers: [.ifNoneMatch: "\"other\""])
            #expect(changed.status == .ok)
        }
    }

    @Test(
        "A client that accepts gzip gets it, with an entity tag of its own",
        arguments: [
            ("gzip, deflate, br, zstd", true), ("br;q=1.0, GZIP;q=0.5", true), ("gzip;q=0", false),
            ("gzip; q=0.000", false), ("identity", false), ("xgzip", false), ("", false),
        ])
    func compressedAssets(accepted: String, isCompressed: Bool) async throws {
        try await withPages { client in
            let whole = try await client.execute(uri: "/assets/large.js", method: .get)
            let response = try await client.execute(
                uri: "/assets/large.js", method: .get, headers: [.acceptEncoding: accepted])
            #expect(response.headers[.vary] == "Accept-Encoding" && whole.headers[.vary] == "Accept-Encoding")
            #expect((response.headers[.contentEncoding] == "gzip") == isCompressed)
            #expect((response.headers[.eTag] != whole.headers[.eTag]) == isCompressed)
            #expect((response.body.readableBytes < whole.body.readableBytes) == isCompressed)
            let known = try await client.execute(
                uri: "/assets/large.js", method: .get,
                headers: [.acceptEncoding: accepted, .ifNoneMatch: try #require(response.headers[.eTag])])
            #expect(known.status == .notModified)
        }
    }

    @Test("HEAD returns only the headers, and other methods are refused")
    func methodsOfPages() async throws {
        try await withPages { client in
            for path in ["/feed", "/assets/app.js"] {
                let whole = try await client.execute(uri: path, method: .get)
                let head = try await client.execute(uri: path, method: .head)
                #expect(head.status == .ok && head.body.readableBytes == 0)
                #expect(head.headers[.contentLength] == "\(whole.body.readableBytes)")
                #expect(head.headers[.eTag] == whole.headers[.eTag])
                let post = try await client.execute(uri: path, method: .post)
                #expect(post.status == .methodNotAllowed && post.headers[.allow] == "GET, HEAD")
            }
        }
    }

    private static let modules = [
        "index.html": """
        <link rel="stylesheet" href="/assets/theme.css">
        <script type="module" src="/assets/shell/main.js"></script>
        """,
        "assets/theme.css": ":root {}", "assets/shell/main.js": "import { a } from \"./api.js\";",
        "assets/shell/api.js": "export const a = 1;", "assets/shell/not-found.js": "export function show() {}",
        "assets/accounts/sign-in.js": "import { b } from \"./google.js\";\nimport { a } from \"../shell/api.js\";",
        "assets/accounts/google.js": "export const b = 1;", "assets/accounts/accounts.css": "p {}",
        "assets/feed/feed.css": "p {}",
    ]

    @Test("A document names its files by their content, and what its page needs ahead of its script")
    func versionedAddresses() async throws {
        let sample = try SamplePages(Self.modules)
        try await TestGateway.run(pages: try WebFolder(path: sample.path)) { gateway in
            try await gateway.withClient { client in
                let page = try await client.execute(uri: "/sign-in", method: .get)
                let document = String(buffer: page.body)
                let version = try #require(document.firstMatch(of: /assets\/([0-9a-f]{16})\/theme\.css/)).1
                let ahead = ["shell/main.js", "shell/api.js", "accounts/sign-in.js", "accounts/google.js"].map {
                    "<link rel=\"modulepreload\" href=\"/assets/\(version)/\($0)\">\n"
                }
                #expect(
                    document == """
                        <link rel="stylesheet" href="/assets/\(version)/theme.css">
                        <link rel="stylesheet" href="/assets/\(version)/accounts/accounts.css" data-domain="accounts">
                        \(ahead.joined())<script type="module" src="/assets/\(version)/shell/main.js"></script>
                        """)
                let asset = try await client.execute(uri: "/assets/\(version)/shell/api.js", method: .get)
                #expect(asset.status == .ok && String(buffer: asset.body) == "export const a = 1;")
                #expect(asset.headers[.cacheControl] == "public, max-age=31536000, immutable")
                #expect(page.headers[.cacheControl] == "no-cache")
                let table = try await client.execute(uri: "/assets/\(version)/pages.js", method: .get)
                #expect(table.status == .ok && table.headers[.cacheControl] == asset.headers[.cacheControl])
                // Another version's files may be others.
                let former = try await client.execute(uri: "/assets/0123456789abcdef/shell/api.js", method: .get)
                #expect(former.status == .notFound)
            }
        }
    }

    @Test("The version changes with any file, and with nothing else")
    func versionOfTheFiles() throws {
        func version(_ changes: [String: String]) throws -> String {
            let sample = try SamplePages(Self.modules.merging(changes) { $1 })
            let site = SitePages([SitePage("/", module: "shell/main.js", section: nil)])
            return PageFiles(try WebFolder(path: sample.path), site: site).version
        }
        let first = try version([:])
        #expect(try version([:]) == first)
        let others = try [
            version(["assets/theme.css": ":root { }"]), version(["assets/new.css": ":root {}"]),
            version(["index.html": "<title>x</title>"]),
        ]
        #expect(Set(others + [first]).count == 4)
    }

    @Test("No path reaches a file outside of the assets")
    func pathTraversal() async throws {
        try await withPages { client in
            for path in [
                "/secret.txt", "/assets/../secret.txt", "/assets/..%2fsecret.txt", "/assets/%2e%2e/secret.txt",
                "/assets//secret.txt", "/assets/.hidden.js", "/assets/two%20words.js", "/assets/notes.md", "/assets/",
                "/assets", "/index.html", "/assets/app.js/", "/explore/concerts/a/b/c", "/explore/concerts/",
                "/explore/concerts/*/x", "/feed/",
            ] {
                let response = try await client.execute(uri: path, method: .get)
                #expect(response.status == .notFound, "\(path)")
                #expect(try response.problem.code == "noSuchEndpoint")
            }
        }
    }

    @Test("At an unknown path a browser gets the shell, and a program a problem")
    func notFound() async throws {
        try await withPages { client in
            let html: HTTPFields = [.accept: "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"]
            let page = try await client.execute(uri: "/nowhere", method: .get, headers: html)
            #expect(page.status == .notFound && text(page) == SamplePages.files["index.html"])
            #expect(page.headers[.contentSecurityPolicy] != nil)
            let tag = try #require(page.headers[.eTag])
            let known = try await client.execute(
                uri: "/nowhere", method: .get, headers: [.accept: "text/html", .ifNoneMatch: tag])
            #expect(known.status == .notFound)
            for (path, method) in [("/v1/nowhere", HTTPRequest.Method.get), ("/nowhere", .post)] {
                let response = try await client.execute(uri: path, method: method, headers: html)
                #expect(try response.status == .notFound && response.problem.code == "noSuchEndpoint")
            }
            let program = try await client.execute(uri: "/nowhere", method: .get, headers: [.accept: "*/*"])
            #expect(try program.problem.code == "noSuchEndpoint")
        }
    }

    @Test("Without a folder of pages the API works, and pages answer with a problem")
    func missingFolder() async throws {
        try await TestGateway.run { gateway in
            try await gateway.withClient { client in
                for path in ["/", "/feed", "/assets/app.js"] {
                    let response = try await client.execute(uri: path, method: .get)
                    #expect(response.status == .serviceUnavailable)
                    #expect(try response.problem.code == "pagesUnavailable")
                }
                #expect(try await client.execute(uri: "/healthz", method: .get).status == .ok)
                let nowhere = try await client.execute(uri: "/nowhere", method: .get, headers: [.accept: "text/html"])
                #expect(try nowhere.problem.code == "noSuchEndpoint")
            }
        }
    }
}
