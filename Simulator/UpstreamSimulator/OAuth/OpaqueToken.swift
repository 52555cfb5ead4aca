/// Tokens that cannot be guessed.
enum OpaqueToken {
    /// A prefix followed by that many random letters and digits.
    static func make(_ prefix: String, length: Int) -> String {
        prefix + String((0..<length).map { _ in [Character].base62[Int.random(in: 0..<62)] })
    }
}
