import Foundation

/// The JavaScript modules that other modules import, read from their texts.
struct ModuleImports: Sendable {
    /// The modules that each module imports itself, by their paths below the assets, such as `shell/main.js`.
    private let imports: [String: [String]]
    /// The modules that each module loads only when they are used, with `import()` and a literal specifier.
    private let uses: [String: [String]]

    /// - Parameter modules: the texts of the modules by their paths below the assets.
    init(_ modules: [String: String]) {
        imports = Dictionary(
            uniqueKeysWithValues: modules.map { path, text in
                (path, Self.specifiers(in: text).compactMap { Self.resolve($0, from: path) })
            })
        uses = Dictionary(
            uniqueKeysWithValues: modules.map { path, text in
                (path, Self.laterSpecifiers(in: text).compactMap { Self.resolve($0, from: path) })
            })
    }

    /// A module and all modules that it needs before it runs, each once, in the order in which a browser finds them.
    func needed(by module: String) -> [String] { reached(from: module) { imports[$0] ?? [] } }

    /// The folders of a module, of all modules that it needs, and of all that these load when they are used, sorted.
    func folders(of module: String) -> [String] {
        let all = reached(from: module) { (imports[$0] ?? []) + (uses[$0] ?? []) }
        return Set(all.compactMap { $0.contains("/") ? $0.split(separator: "/").first.map(String.init) : nil }).sorted()
    }

    private func reached(from module: String, by edges: (String) -> [String]) -> [String] {
        var found: [String] = []
        var known: Set<String> = []
        var waiting = [module]
        while !waiting.isEmpty {
            let level = waiting.filter { imports[$0] != nil && known.insert($0).inserted }
            found += level
            waiting = level.flatMap(edges)
        }
        return found
    }

    /// What the `import` declarations of a module name. Modules that are loaded with `import()` are not among them.
    private static func specifiers(in text: String) -> [String] {
        text.matches(of: /(?m)^import (?:[^"';]+ from )?"([^"]+)";/).map { String($0.1) }
    }

    /// What the calls of `import()` of a module name. A call that computes its specifier is not among them.
    private static func laterSpecifiers(in text: String) -> [String] {
        text.matches(of: /\bimport\("([^"]+)"\)/).map { String($0.1) }
    }

    /// The path of a relative specifier (HTML standard, "resolve a module specifier"); `nil` for any other one, and for
    /// one that leads out of the assets.
    private static func resolve(_ specifier: String, from module: String) -> String? {
        guard specifier.hasPrefix("./") || specifier.hasPrefix("../") else { return nil }
        var segments = module.split(separator: "/").dropLast()
        for segment in specifier.split(separator: "/") {
            switch segment {
            case ".": continue
            case "..":
                if segments.popLast() == nil { return nil }
            default: segments.append(segment)
            }
        }
        return segments.joined(separator: "/")
    }
}
