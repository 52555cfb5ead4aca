/// Finds unknown keys of the file and unknown `BACKLINE_` variables of the environment, which are mostly misspelt.
package struct UnknownKeys {
    private let keys: [ConfigurationKeySummary]
    private let namedSections: [NamedSections]
    /// The names of variables that are not keys of the file.
    private let otherVariables: [String]
    /// The path and environment name of every key that this configuration can have.
    private let known: [(path: String, environmentName: String)]
    private let knownPaths: Set<String>
    private let knownVariables: Set<String>
    private let sections: Set<String>

    /// - Parameters:
    ///   - keys: all keys. Those of named sections have ``NamedSections/placeholder`` for the name.
    ///   - otherVariables: the names of further variables that something reads.
    ///   - variables: the names of environment variables.
    package init(
        keys: [ConfigurationKeySummary], namedSections: [NamedSections], otherVariables: [String],
        in file: ConfigurationFile?, variables: some Collection<String>
    ) {
        self.keys = keys
        self.namedSections = namedSections
        self.otherVariables = otherVariables
        known = keys.flatMap { key -> [(path: String, environmentName: String)] in
            let mark = "." + NamedSections.placeholder + "."
            guard let sections = namedSections.first(where: { key.path.hasPrefix($0.parent + mark) }) else {
                return [(key.path, key.environmentName)]
            }
            return sections.names(in: file, variables: variables).map { name in
                let path = key.path.replacing(mark, with: ".\(name).")
                return (path, ConfigurationEnvironment.name(ofPath: path))
            }
        }
        knownPaths = Set(known.map(\.path))
        knownVariables = Set(
            known.map(\.environmentName) + [ConfigurationEnvironment.fileVariable] + otherVariables)
        sections = Set(
            (knownPaths + namedSections.map { $0.parent + ".any" }).flatMap { path in
                path.indices.filter { path[$0] == "." }.map { String(path[..<$0]) }
            })
    }

    /// Unknown keys are warnings; a value where keys should be is an error.
    package func problems(in file: ConfigurationFile?) -> [ConfigurationProblem] {
        guard let file else { return [] }
        return file.entries.compactMap { entry in
            // The reader has refused a known key that is written as a section.
            if knownPaths.contains(where: { entry.path == $0 || entry.path.hasPrefix($0 + ".") }) { return nil }
            let origin = "\(file.path), line \(entry.line)"
            switch entry.content {
            case .section:
                return nil
            case .nothing where sections.contains(entry.path):
                return nil
            case .text, .list, .nothing:
                if sections.contains(entry.path) {
                    return .error(
                        "\(entry.path) (\(origin)) is \(entry.content.name); allowed: a section with keys below it")
                }
                let isNamed = namedSections.contains { entry.path.hasPrefix($0.parent + ".") }
                let nearest = nearest(
                    to: entry.path, among: keys.map(\.path) + (isNamed ? known.map(\.path) : []))
                return .warning(
                    "unknown key \(quoted(entry.path)) (\(origin)) is ignored; the nearest known key is \(nearest)")
            }
        }
    }

    /// Unknown variables are warnings.
    package func warnings(of environment: [String: String]) -> [ConfigurationProblem] {
        environment.keys.sorted().compactMap { name in
            guard name.hasPrefix(ConfigurationEnvironment.prefix), !knownVariables.contains(name),
                !name.hasPrefix(ConfigurationEnvironment.testPrefix)
            else { return nil }
            let isNamed = namedSections.contains { name.hasPrefix($0.variablePrefix) }
            let nearest = nearest(
                to: name,
                among: keys.map(\.environmentName) + otherVariables
                    + (isNamed ? known.map(\.environmentName) : []))
            return .warning(
                "unknown environment variable \(quoted(name)) is ignored; the nearest known one is \(nearest)")
        }
    }

    private func nearest(to text: String, among candidates: [String]) -> String {
        let text = text.lowercased()
        let distances = candidates.map { candidate -> (Int, String) in
            let candidateText = candidate.lowercased()
            // A prefix of a key counts as near, however much is missing.
            return (candidateText.hasPrefix(text) ? 1 : Self.distance(text, candidateText), candidate)
        }
        return distances.min { $0.0 < $1.0 }?.1 ?? ""
    }

    /// The Levenshtein distance: the fewest letters to insert, delete or replace.
    static func distance(_ left: String, _ right: String) -> Int {
        let right = Array(right.unicodeScalars)
        var row = Array(0...right.count)
        for (index, scalar) in left.unicodeScalars.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let replaced = diagonal + (scalar == right[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}
