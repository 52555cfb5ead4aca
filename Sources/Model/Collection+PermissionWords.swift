extension Collection where Element == String {
    /// Scopes as a sentence names them: "the permission 'a'", "the permissions 'a' and 'b'".
    package var permissionWords: String {
        let names = map { "'\($0)'" }
        guard let last = names.last, names.count > 1 else { return "the permission \(names.first ?? "")" }
        return "the permissions \(names.dropLast().joined(separator: ", ")) and \(last)"
    }
}
