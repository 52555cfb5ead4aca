import Foundation
import Gateway
import Hummingbird
import Logging
import Messages
import Model
import People
import Storage
import Vault
import Visibility

/// Reports a message of a person to the administrators, in the transaction that has read it. It throws `PeopleRefusal`,
/// `ActLimitReached` or `TextKeyError`.
package typealias ReportMessage =
    @Sendable (
        _ subjectID: String, _ userID: String, _ text: String, _ message: ReportedMessage,
        _ transaction: WriteTransaction
    ) throws -> Void

/// What the routes and events of messages are made from.
struct MessageParts: Sendable {
    let database: Database
    let writer: MessageWriter
    let textKeys: CurrentTextKeys
    let report: ReportMessage

    /// The most bytes of a body: the longest text with every character escaped, and room for the rest.
    static let maximumBodyBytes = 65_536

    /// Writes what a person does, and answers a refusal.
    func act<Value: Sendable>(
        _ context: GatewayContext, _ act: @escaping @Sendable (WriteTransaction, _ userID: String) throws -> Value
    ) async throws -> Value {
        let userID = try context.userID
        return try await answering(context) { try await database.write { try act($0, userID) } }
    }

    /// Turns refusals into problems.
    func answering<Value>(_ context: GatewayContext, _ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let refusal as MessageRefusal {
            throw Problem(refusal)
        } catch is PeopleRefusal {
            throw Problem.unknownMessage
        } catch let reached as ActLimitReached {
            throw Problem(reached)
        } catch let error as TextKeyError {
            context.logger.error("a private text could not be encrypted", metadata: ["error": "\(error)"])
            throw Problem.textsUnavailable
        }
    }

    /// Reads as a viewer. Somebody who was suspended or erased meanwhile gets the answer for what nobody has.
    func read<Value: Sendable>(
        as userID: String, or problem: Problem,
        _ body: @escaping @Sendable (ReadTransaction, Viewer) throws -> Value?
    ) async throws -> Value {
        let found = try await database.read { reader -> Value? in
            guard let viewer = try reader.visibility.viewer(userID: userID) else { return nil }
            return try body(reader, viewer)
        }
        guard let found else { throw problem }
        return found
    }
}

/// A list as JSON, and the number of the last change when it was read.
struct ReadList: Sendable {
    var json: [UInt8]
    var seq: Int64
}

extension GatewayContext {
    /// The thread of the path. Text that is not an id is as unknown as an id that nothing has.
    var threadID: String {
        get throws {
            let id = try parameters.require("id").lowercased()
            guard UUIDv7.isWellFormed(id) else { throw Problem.unknownThread }
            return id
        }
    }

    /// The message of the path.
    var messageID: MessageID {
        get throws {
            guard let id = MessageID(try parameters.require("messageId").lowercased()) else {
                throw Problem.unknownMessage
            }
            return id
        }
    }

    /// The client's id of a message in the path, in lower case.
    var clientMessageID: String {
        get throws {
            let id = try parameters.require("messageId").lowercased()
            guard UUIDv7.isWellFormed(id) else {
                throw Problem.invalidRequest(
                    code: .invalidParameter,
                    "messageId: expected a UUID that you have made for this message, such as "
                        + "0199f3a2-0000-4000-8000-000000000001.", field: "messageId")
            }
            return id
        }
    }
}
