import Hummingbird

/// A page of the site, which one of the assets draws into the shell.
struct SitePage: Sendable {
    /// A segment that begins with a colon is a parameter: `/explore/concerts/:search`.
    let path: String
    /// The file, within the assets, of the module that draws it.
    let module: String
    /// The entry of the navigation that it belongs to.
    let section: String?
    /// Whether it is shown to people who are not signed in.
    let isPublic: Bool

    init(_ path: String, module: String, section: String?, isPublic: Bool = false) {
        self.path = path
        self.module = module
        self.section = section
        self.isPublic = isPublic
    }
}

/// All pages of the site, by their paths.
struct SitePages: Sendable {
    /// Of the module that tells the browser's side which pages there are, and which events the stream may tell.
    static let indexPath = "/assets/pages.js"

    /// What stands at ``indexPath``.
    let index: WebFile
    /// Those without a parameter.
    private let plain: Set<String>
    /// The segments of the others.
    private let patterns: [[Substring]]

    /// - Parameter eventNames: of the domains' events.
    init(_ pages: [SitePage], eventNames: [String] = []) {
        var json = JSONWriter()
        json.array(pages) { json, page in
            json.object {
                $0.member("path", page.path)
                $0.member("module", "/assets/" + page.module)
                $0.member("section", page.section)
                $0.member("isPublic", page.isPublic)
            }
        }
        var names = JSONWriter()
        names.array(eventNames) { $0.value($1) }
        index = WebFile(
            bytes: Array("export const pages = ".utf8) + json.bytes
                + Array(";\nexport const eventNames = ".utf8) + names.bytes + Array(";\n".utf8),
            contentType: WebFile.contentTypes["js"] ?? "text/javascript")
        plain = Set(pages.map(\.path).filter { !$0.contains(":") })
        patterns = pages.map(\.path).filter { $0.contains(":") }.map(Self.segments)
    }

    func contains(_ path: String) -> Bool {
        if plain.contains(path) { return true }
        let segments = Self.segments(path)
        return patterns.contains { pattern in
            pattern.count == segments.count
                && zip(pattern, segments).allSatisfy { $0.first == ":" ? Self.isParameter($1) : $0 == $1 }
        }
    }

    private static func segments(_ path: String) -> [Substring] {
        path.split(separator: "/", omittingEmptySubsequences: false)
    }

    /// As the browser's side has it: `[\w-]+`.
    private static func isParameter(_ segment: Substring) -> Bool {
        !segment.isEmpty
            && segment.utf8.allSatisfy { byte in
                (0x61...0x7a).contains(byte) || (0x41...0x5a).contains(byte) || (0x30...0x39).contains(byte)
                    || byte == 0x2d || byte == 0x5f
            }
    }
}
