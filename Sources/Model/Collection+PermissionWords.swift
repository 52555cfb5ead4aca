extension Collection where Element == String {
    /// Scopes for a sentence: "the permission 'a'", "the permissions 'a' and 'b'".
    package var permissionWords: String {
        let names = map { "'\($0)'" }
        guard let last = names.last, names.count > 1 else { return "the permission \(names.first ?? "")" }
        return "the permissions \(names.dropLast().joined(separator: ", ")) and \(last)"
    }
}
