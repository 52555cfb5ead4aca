/// The files of an archive that were passed over: one sentence for all files with the same reason, which names the
/// first of them.
///
/// Holds their names and reasons until the end of the archive, which has at most 1,000 files and 1 MiB of names.
struct SkippedFiles {
    /// The most bytes of names in a sentence; a reason may have 500.
    private static let mostNameBytes = 200
    /// In characters.
    private static let longestName = 60
    private static let unknown = "they are not files of songs or listens. \(FileForm.known.withoutStop)"

    private struct Group {
        let reason: String
        /// What was found in the first file. It is the reason that is given if the group has only this file.
        let reasonOfFirst: String
        let isOfUnknownKind: Bool
        var names: [String]
    }

    private var groups: [Group] = []
    /// The index of each group, by its reason.
    private var places: [String: Int] = [:]

    mutating func add(_ name: String, _ error: LibraryFileError) {
        let reason = error.isOfUnknownKind ? Self.unknown : error.reason
        if let place = places[reason] {
            groups[place].names.append(name)
        } else {
            places[reason] = groups.count
            groups.append(
                Group(
                    reason: reason, reasonOfFirst: error.reason, isOfUnknownKind: error.isOfUnknownKind, names: [name]))
        }
    }

    /// - Parameter withUnknownKinds: whether files of unknown kinds are included.
    /// - Returns: the sentences, in the order of the first file of each, without periods at their ends.
    func sentences(withUnknownKinds: Bool) -> [String] {
        groups.filter { withUnknownKinds || !$0.isOfUnknownKind }.map { group in
            group.names.count == 1
                ? "\(group.names[0]): \(group.reasonOfFirst)" : "\(Self.list(group.names)): \(group.reason)"
        }
    }

    /// The first few of the names, and how many others there are.
    static func list(_ names: [String]) -> String {
        var (shown, bytes) = ([String](), 0)
        for name in names {
            let text = "“\(FileValues.name(name).prefix(longestName))”"
            // A character may have any number of bytes.
            guard shown.isEmpty || bytes + text.utf8.count <= mostNameBytes else { break }
            shown.append(text.truncated(toBytes: mostNameBytes, mark: "…"))
            bytes += text.utf8.count
        }
        let rest = names.count - shown.count
        guard rest > 0 else { return shown.joined(separator: ", ") }
        return shown.joined(separator: ", ") + " and \(rest) \(rest == 1 ? "other" : "others")"
    }
}

extension LibraryFileError {
    /// The text as part of a sentence.
    var reason: String { description.withoutStop }
}

extension String {
    /// The text without a period at its end.
    fileprivate var withoutStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
