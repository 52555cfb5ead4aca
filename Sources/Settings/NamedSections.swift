/// Sections of one kind with names that the administrator chooses, such as those in `schedules`. All have the same
/// keys.
package struct NamedSections: Sendable {
    /// The path of the section that contains them.
    package let parent: String
    /// The key that every section has. A variable for it adds a section that the file does not have.
    package let mainKey: String
    /// Names that already mean something else to people, and are therefore refused.
    package let reservedNames: [String]

    /// Stands for a section's own name in lists of keys.
    package static let placeholder = "NAME"

    package init(parent: String, mainKey: String, reservedNames: [String] = []) {
        self.parent = parent
        self.mainKey = mainKey
        self.reservedNames = reservedNames
    }

    /// The valid names: first those in the file, in its order, then those that only variables define, alphabetically.
    /// Invalid names are reported to the reader.
    package func names(reading reader: inout ConfigurationReader) -> [String] {
        var names: [String] = []
        for name in self.names(in: reader.file, variables: reader.variables) {
            if !Self.isName(name) {
                reader.report(
                    .error(
                        "\(parent) has the name \(quoted(name)); allowed: 1 to 64 lower-case letters, digits and"
                            + " hyphens, beginning with a letter"))
            } else if reservedNames.contains(name) {
                reader.report(
                    .error(
                        "\(parent) has the name \(quoted(name)), which has a meaning of its own; allowed: names"
                            + " other than \(reservedNames.joined(separator: ", "))"))
            } else {
                names.append(name)
            }
        }
        return names
    }

    /// All names, including invalid ones.
    ///
    /// - Parameter variables: the names of environment variables.
    func names(in file: ConfigurationFile?, variables: some Collection<String>) -> [String] {
        var names: [String] = []
        for entry in file?.entries ?? [] where entry.path.hasPrefix(parent + ".") {
            let name = String(entry.path.dropFirst(parent.count + 1).prefix { $0 != "." })
            if !names.contains(name) { names.append(name) }
        }
        return names + variables.compactMap(name).filter { !names.contains($0) }.sorted()
    }

    /// The prefix of all these sections' variables, such as `BACKLINE_AI_ENDPOINTS_`.
    var variablePrefix: String { ConfigurationEnvironment.name(ofPath: parent) + "_" }

    /// The path of a key of one section.
    package func path(_ name: String, _ key: String) -> String { "\(parent).\(name).\(key)" }

    /// The section that a variable adds; `nil` for all other variables. Names have no capitals and no underscores, so
    /// each variable corresponds to exactly one name.
    private func name(ofVariable variable: String) -> String? {
        let end = "_" + ConfigurationEnvironment.name(ofPath: mainKey).dropFirst(ConfigurationEnvironment.prefix.count)
        guard variable.hasPrefix(variablePrefix), variable.hasSuffix(end),
            variable.count > variablePrefix.count + end.count
        else { return nil }
        let name = variable.dropFirst(variablePrefix.count).dropLast(end.count).lowercased().replacing("_", with: "-")
        return ConfigurationEnvironment.name(ofPath: path(name, mainKey)) == variable ? name : nil
    }

    private static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && (0x61...0x7a).contains(text.utf8.first ?? 0)
            && text.utf8.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d }
    }
}
