/// A text style (ECMA-48, SGR). No meaning depends on it alone, since not every terminal has colors.
package enum TextStyle: String {
    case bold = "1"
    case faint = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"

    package func applied(to text: String) -> String {
        text.isEmpty ? text : "\u{1B}[\(rawValue)m\(text)\u{1B}[0m"
    }
}
