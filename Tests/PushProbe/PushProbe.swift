import Foundation
import Model
import Push

/// Makes push messages for judges in other languages (Tests/PushJudges).
///
/// Each line of its standard input is an ``Order``, and each line of its output the ``Message``, or why there is none.
@main
struct PushProbe {
    struct Order: Decodable {
        var endpoint: String
        var p256dh: String
        var auth: String
        /// In base64.
        var content: String
        var topic: String?
        var timeToLive: Int
    }

    struct Message: Encodable {
        var headers: [String: String] = [:]
        /// In base64.
        var body = ""
        var error: String?
    }

    static func main() throws {
        let tokens = VAPIDTokens(keys: VAPIDKeyPair(), contact: try VAPIDContact("mailto:push@example.org"))
        let encoder = JSONEncoder()
        while let line = readLine() {
            let order = try JSONDecoder().decode(Order.self, from: Data(line.utf8))
            let message: Message
            do {
                message = try make(order, tokens)
            } catch {
                message = Message(error: "\(error)")
            }
            print(String(decoding: try encoder.encode(message), as: UTF8.self))
        }
    }

    private static func make(_ order: Order, _ tokens: VAPIDTokens) throws -> Message {
        let subscription = try WebPushSubscription(endpoint: order.endpoint, p256dh: order.p256dh, auth: order.auth)
        let message = WebPushMessage(
            content: Array(Data(base64Encoded: order.content) ?? Data()), timeToLive: .seconds(order.timeToLive),
            topic: order.topic.flatMap { PushTopic($0) })
        var headers = Dictionary(uniqueKeysWithValues: message.headers.map { ($0.name, $0.value) })
        headers["Authorization"] = try tokens.authorization(for: subscription.origin).reveal()
        return Message(
            headers: headers,
            body: Data(try WebPushEncryption.body(message.content, for: subscription)).base64EncodedString())
    }
}
