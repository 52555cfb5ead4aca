import Hummingbird

/// A page of the site. A module of the assets shows it in the shell.
package struct SitePage: Sendable {
    /// The path of its address. A segment that begins with a colon is a parameter: `/explore/concerts/:search`.
    let path: String
    /// The path of its module, relative to the assets.
    let module: String
    /// The section of the navigation that is marked on it; `nil` for none.
    let section: String?
    /// Its link on the first page of its section, which is the library, since no other section shows such links; `nil`
    /// for none. A page with a link has no parameter in its path.
    let link: PageLink?
    /// Whether it is shown without a session.
    let isPublic: Bool
    /// Its additional permissions; `nil` for most pages. A page with a policy has no parameter in its path.
    let policy: PagePolicy?

    package init(
        _ path: String, module: String, section: String?, link: PageLink? = nil, isPublic: Bool = false,
        policy: PagePolicy? = nil
    ) {
        precondition(policy == nil || !path.contains(":"), "A page with a policy has no parameters")
        precondition(link == nil || !path.contains(":"), "A page with a link has no parameters")
        self.policy = policy
        self.path = path
        self.module = module
        self.section = section
        self.link = link
        self.isPublic = isPublic
    }
}

/// A link to a page.
package struct PageLink: Sendable {
    let label: String
    /// The name of its picture in `ui/icons.js`.
    let icon: String

    package init(_ label: String, icon: String) {
        self.label = label
        self.icon = icon
    }
}

/// The table of all pages of the site, for the gateway and for the browser.
struct SitePages: Sendable {
    /// The path of the module that gives the browser the table of pages, and the names of the stream's events.
    static let indexPath = "/assets/pages.js"

    /// The policies of pages, by their paths.
    let policies: [String: PagePolicy]
    /// The modules of pages, relative to the assets, by the paths of the table.
    let modules: [String: String]
    private let pages: [SitePage]
    private let eventNames: [String]
    /// The paths without a parameter.
    private let plain: Set<String>
    /// The other paths, and their segments.
    private let patterns: [(path: String, segments: [Substring])]

    /// - Parameter eventNames: the names of the domains' events.
    init(_ pages: [SitePage], eventNames: [String] = []) {
        self.pages = pages
        self.eventNames = eventNames
        policies = Dictionary(
            uniqueKeysWithValues: pages.compactMap { page in page.policy.map { (page.path, $0) } })
        modules = Dictionary(uniqueKeysWithValues: pages.map { ($0.path, $0.module) })
        plain = Set(pages.map(\.path).filter { !$0.contains(":") })
        patterns = pages.map(\.path).filter { $0.contains(":") }.map { ($0, Self.segments($0)) }
    }

    /// The module at ``indexPath``.
    ///
    /// - Parameter styles: the domains whose style sheets a page needs, by the module of the page.
    func index(styles: (String) -> [String] = { _ in [] }) -> WebFile {
        var json = JSONWriter()
        json.array(pages) { json, page in
            json.object {
                $0.member("path", page.path)
                // Relative to `router.js`, which imports it from the version of the assets that the document has.
                $0.member("module", "../" + page.module)
                $0.member("styles") { json in json.array(styles(page.module)) { $0.value($1) } }
                $0.member("section", page.section)
                if let link = page.link {
                    $0.member("link") { json in
                        json.object {
                            $0.member("label", link.label)
                            $0.member("icon", link.icon)
                        }
                    }
                }
                $0.member("isPublic", page.isPublic)
                if page.policy != nil { $0.member("ownDocument", true) }
            }
        }
        var names = JSONWriter()
        names.array(eventNames) { $0.value($1) }
        return WebFile(
            bytes: Array("export const pages = ".utf8) + json.bytes
                + Array(";\nexport const eventNames = ".utf8) + names.bytes + Array(";\n".utf8),
            contentType: WebFile.contentTypes["js"] ?? "text/javascript")
    }

    /// The path in the table of the page at a request's path; `nil` if there is none.
    func page(at path: String) -> String? {
        if plain.contains(path) { return path }
        let segments = Self.segments(path)
        return patterns.first { pattern in
            pattern.segments.count == segments.count
                && zip(pattern.segments, segments).allSatisfy { $0.first == ":" ? Self.isParameter($1) : $0 == $1 }
        }?.path
    }

    private static func segments(_ path: String) -> [Substring] {
        path.split(separator: "/", omittingEmptySubsequences: false)
    }

    /// Whether a segment can be a parameter, by the same rule as in `router.js`: `[\w.-]+`.
    private static func isParameter(_ segment: Substring) -> Bool {
        !segment.isEmpty
            && segment.utf8.allSatisfy { byte in
                (0x61...0x7a).contains(byte) || (0x41...0x5a).contains(byte) || (0x30...0x39).contains(byte)
                    || byte == 0x2d || byte == 0x2e || byte == 0x5f
            }
    }
}
