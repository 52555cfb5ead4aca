import Foundation
import Logging

/// The files of the web pages, in memory. A request cannot reach any other file.
package struct WebFolder: Sendable {
    /// The limit of all files together. The pages need far less: a larger folder is a mistake in the configuration.
    static let maximumBytes = 16 << 20

    /// `index.html`: the document of every page.
    let shell: WebFile
    /// The assets by the path of a request, such as `/assets/app.js`.
    let assets: [String: WebFile]
    /// The files beside it that browsers know by addresses which never change, by the path of a request: the service
    /// worker, which may act for the whole site only from its root, and the manifest of the installed site.
    let rootFiles: [String: WebFile]
    /// The paths of files that are not served, because of their name or type.
    package let skipped: [String]

    /// The names of ``rootFiles``. A folder may lack them.
    private static let rootNames = ["manifest.webmanifest", "service-worker.js"]

    /// Reads `index.html`, the files beside it and those in `assets`. It blocks, and runs once, when the gateway starts.
    package init(path: String) throws(WebFolderError) {
        let root = URL(fileURLWithPath: path, isDirectory: true)
        guard let bytes = try? Data(contentsOf: root.appending(path: "index.html")) else {
            throw WebFolderError.noShell(path: path)
        }
        var total = bytes.count
        shell = WebFile(bytes: Array(bytes), contentType: "text/html; charset=utf-8")
        var assets: [String: WebFile] = [:]
        var skipped: [String] = []
        let folder = root.appending(path: "assets")
        for name in (try? FileManager.default.subpathsOfDirectory(atPath: folder.path))?.sorted() ?? [] {
            let file = folder.appending(path: name)
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder), !isFolder.boolValue
            else { continue }
            guard Self.isServable(name), let type = WebFile.contentTypes[file.pathExtension],
                let bytes = try? Data(contentsOf: file)
            else {
                skipped.append("assets/\(name)")
                continue
            }
            total += bytes.count
            guard total <= Self.maximumBytes else { throw WebFolderError.tooLarge(path: path) }
            assets["/assets/\(name)"] = WebFile(bytes: Array(bytes), contentType: type)
        }
        var rootFiles: [String: WebFile] = [:]
        for name in Self.rootNames {
            let file = root.appending(path: name)
            guard let type = WebFile.contentTypes[file.pathExtension], let bytes = try? Data(contentsOf: file) else {
                continue
            }
            total += bytes.count
            guard total <= Self.maximumBytes else { throw WebFolderError.tooLarge(path: path) }
            rootFiles["/\(name)"] = WebFile(bytes: Array(bytes), contentType: type)
        }
        (self.assets, self.rootFiles, self.skipped) = (assets, rootFiles, skipped)
    }

    /// Whether a name has only unreserved characters of URLs (RFC 3986, section 2.3), and is not hidden.
    private static func isServable(_ name: String) -> Bool {
        name.utf8.allSatisfy { byte in
            (0x61...0x7a).contains(byte) || (0x41...0x5a).contains(byte) || (0x30...0x39).contains(byte)
                || [0x2d, 0x2e, 0x2f, 0x5f, 0x7e].contains(byte)
        } && !name.split(separator: "/").contains { $0.hasPrefix(".") }
    }

    /// Reads the configured folder, or by default the one beside the executable. Without pages it logs a warning and
    /// returns `nil`.
    package static func load(configured path: String?, logger: Logger) -> WebFolder? {
        do {
            let folder = try WebFolder(path: path ?? besideExecutable)
            for name in folder.skipped { logger.warning("a file is not served", metadata: ["file": "\(name)"]) }
            return folder
        } catch {
            logger.warning("\(error)")
            return nil
        }
    }

    /// The folder in which the build puts the pages, beside the executable.
    package static var besideExecutable: String {
        let executable = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: executable).deletingLastPathComponent()
            .appending(path: "backline_backline.resources/Web").path
    }
}

package enum WebFolderError: Error, Equatable, CustomStringConvertible {
    case noShell(path: String)
    case tooLarge(path: String)

    package var description: String {
        switch self {
        case .noShell(let path):
            "There are no web pages: \(path)/index.html cannot be read. The API works without them. Install the folder "
                + "backline_backline.resources beside the executable, or set http.webRoot."
        case .tooLarge(let path):
            "\(path) contains more than \(WebFolder.maximumBytes >> 20) MiB, more than web pages need. "
                + "Set http.webRoot to the folder of Backline's pages."
        }
    }
}
