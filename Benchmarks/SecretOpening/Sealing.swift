import Push
import Vault

/// Seals private texts, and encrypts pushes to a browser, and prints a line of JSON for each size.
///
/// A line has what is sealed, its size in bytes, and the microseconds that one takes.
enum Sealing {
    /// In bytes: of a short message, and of the longest one in letters of ASCII.
    private static let texts = [60, 2_000]
    /// In bytes: of a usual notification, and of the longest one.
    private static let pushes = [250, WebPushEncryption.longestMessage]

    static func run() throws {
        let key = TextKey.random()
        let name = TextName(table: "messages", row: "4642", author: "17")
        for size in texts {
            let text = String(repeating: "t", count: size)
            let rounds = try Rounds { _ = try key.seal(text, as: name) }
            print(#"{"what":"texts","bytes":\#(size),\#(rounds.members)}"#)
        }
        // The receiver of the example in RFC 8291.
        let browser = try WebPushSubscription(
            endpoint: "https://updates.push.services.mozilla.com/wpush/v2/example",
            p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            auth: "BTBZMqHH6r4Tts7J_aSIgg")
        for size in pushes {
            let content = [UInt8](repeating: 0x70, count: size)
            let rounds = try Rounds { _ = try WebPushEncryption.body(content, for: browser) }
            print(#"{"what":"pushes","bytes":\#(size),\#(rounds.members)}"#)
        }
    }
}
