import Crypto
import Foundation
import Platform

/// The documents of the pages and the assets that they load, as they are served.
///
/// Every asset has an address that names the content of all of them, `/assets/VERSION/…`, so that browsers cache it for
/// good and never mix the files of two versions: the modules import each other by relative paths, and so from the same
/// version. A document names the modules that its page needs, so that a browser requests them all at once instead of
/// import by import, and links the style sheets of the domains whose modules the page uses. The table of pages has the
/// same domains, since the router adds their style sheets for a page that follows in the same document.
struct PageFiles: Sendable {
    /// A hash of all files, in hexadecimal digits.
    let version: String
    /// The assets by the path of a request with the version.
    private let versioned: [String: WebFile]
    /// The same assets by their paths without the version.
    private let unversioned: [String: WebFile]
    /// The documents by the pages' paths in the table.
    private let documents: [String: WebFile]
    /// The files at the root of the site, by their paths. Browsers know them by these addresses for good, so that no
    /// version is in them.
    let rootFiles: [String: WebFile]
    /// The document at an address that is not a page's.
    let unknown: WebFile

    /// The module that the document starts, and the one that the router shows at an unknown address.
    private static let (first, notFound) = ("shell/main.js", "shell/not-found.js")

    init(_ folder: WebFolder, site: SitePages) {
        var files = folder.assets
        // Without the style sheets, which follow from the imports of all modules.
        files[SitePages.indexPath] = site.index()
        let modules = files.filter { $0.key.hasSuffix(".js") }.map { path, file in
            (String(path.dropFirst("/assets/".count)), String(decoding: file.plain.bytes, as: UTF8.self))
        }
        let imports = ModuleImports(Dictionary(uniqueKeysWithValues: modules))
        let sheets = Self.domainSheets(of: folder)
        func styles(of module: String) -> [String] { imports.folders(of: module).filter { sheets.contains($0) } }
        files[SitePages.indexPath] = site.index(styles: styles(of:))
        let version = Self.hash(of: files, and: folder.shell)
        self.version = version
        func address(_ path: some StringProtocol) -> String {
            "/assets/\(version)/" + path.dropFirst("/assets/".count)
        }
        rootFiles = folder.rootFiles
        versioned = Dictionary(uniqueKeysWithValues: files.map { (address($0.key), $0.value) })
        unversioned = files
        let shell = String(decoding: folder.shell.plain.bytes, as: UTF8.self)
            .replacing(/(?<attribute>(?:href|src)=)"(?<path>\/assets\/[^"]+)"/) { match in
                "\(match.attribute)\"\(address(match.path))\""
            }
        let common = imports.needed(by: Self.first)
        func document(for module: String) -> WebFile {
            let own = imports.needed(by: module).filter { !common.contains($0) }
            let sheets = styles(of: module).map {
                "<link rel=\"stylesheet\" href=\"\(address(Self.sheet(of: $0)))\" data-domain=\"\($0)\">\n"
            }
            let links = (common + own).map { "<link rel=\"modulepreload\" href=\"/assets/\(version)/\($0)\">\n" }
            // Before the script, whose imports are then on their way.
            let ahead: String = (sheets + links).joined()
            let text = shell.replacing(/<script type="module"/, maxReplacements: 1) { ahead + $0.output }
            return WebFile(bytes: Array(text.utf8), contentType: folder.shell.contentType)
        }
        documents = Dictionary(
            uniqueKeysWithValues: site.modules.map { path, module in (path, document(for: module)) })
        unknown = document(for: Self.notFound)
    }

    /// The asset at the path of a request, and whether the path names this version; `nil` if there is none.
    func asset(at path: String) -> (file: WebFile, isVersioned: Bool)? {
        if let file = versioned[path] { return (file, true) }
        return unversioned[path].map { ($0, false) }
    }

    /// The document of a page.
    ///
    /// - Parameter path: the page's path in the table.
    func document(of path: String) -> WebFile { documents[path] ?? unknown }

    /// The path of the style sheet of a domain.
    private static func sheet(of domain: String) -> String { "/assets/\(domain)/\(domain).css" }

    /// The folders with a style sheet of their name, except for those that the document of every page links.
    private static func domainSheets(of folder: WebFolder) -> Set<String> {
        let shell = String(decoding: folder.shell.plain.bytes, as: UTF8.self)
        let folders = folder.assets.keys.compactMap { path in
            path.wholeMatch(of: /\/assets\/(?<folder>[^\/]+)\/[^\/]+\.css/).map { String($0.folder) }
        }
        return Set(folders).filter { folder.assets[sheet(of: $0)] != nil && !shell.contains("\"\(sheet(of: $0))\"") }
    }

    private static func hash(of files: [String: WebFile], and shell: WebFile) -> String {
        var hash = SHA256()
        func add(_ name: String, _ file: WebFile) {
            hash.update(data: Data("\(name)\n\(file.plain.entityTag)\n".utf8))
        }
        for (path, file) in files.sorted(by: { $0.key < $1.key }) { add(path, file) }
        add("index.html", shell)
        return hash.finalize().prefix(8).hexadecimal
    }
}
