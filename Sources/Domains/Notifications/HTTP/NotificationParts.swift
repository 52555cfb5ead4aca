import Accounts
import Gateway
import Model
import NotificationSources
import Notifications
import Storage
import Visibility

/// What the routes and events of notifications are made from.
struct NotificationParts: Sendable {
    let database: Database
    let kinds: NotificationKinds
    let accounts: NotifiedAccounts
    let pictures: PicturePaths

    /// Reads notifications as a person sees them at this moment.
    ///
    /// - Returns: `nil` for somebody who is suspended or gone.
    func read<Value: Sendable>(
        as userID: String, _ body: @escaping @Sendable (ReadTransaction, NotificationWriter) throws -> Value
    ) async throws -> Value? {
        let (kinds, accounts) = (kinds, accounts)
        return try await database.read { reader in
            guard let viewer = try reader.visibility.viewer(userID: userID) else { return nil }
            return try body(reader, NotificationWriter(reader, viewer: viewer, kinds: kinds, accounts: accounts))
        }
    }

    /// Writes what a person does, and answers a refusal.
    func act<Value: Sendable>(
        _ context: GatewayContext, _ act: @escaping @Sendable (WriteTransaction, _ userID: String) throws -> Value
    ) async throws -> Value {
        let userID = try context.userID
        do {
            return try await database.write { try act($0, userID) }
        } catch let refusal as NotificationRefusal {
            throw Problem(refusal)
        }
    }

    /// The pictures of the people whom notifications show.
    static func people(
        of notifications: [WrittenNotification], in reader: ReadTransaction
    ) throws -> [String: PersonSummary] {
        let shown = Set(notifications.flatMap { $0.group.actors.prefix(Self.mostPeople).map(\.userID) })
        return try shown.listParts.reduce(into: [:]) { people, part in
            people.merge(try reader.accounts.summaries(ofUsers: part)) { first, _ in first }
        }
    }

    private static let mostPeople = 3

    func write(
        _ notification: WrittenNotification, people: [String: PersonSummary], mark: Int64?, to json: inout JSONWriter
    ) {
        json.member("id", notification.id)
        json.member("kind", notification.group.kind.rawValue)
        json.member("subject", notification.group.subject)
        json.member("number", Int(notification.number))
        json.member("count", notification.group.events.count)
        json.member("isMore", notification.group.hasMore)
        json.member("people") { json in
            let actors = notification.group.actors.prefix(Self.mostPeople).compactMap { people[$0.userID] }
            json.array(actors) { json, person in
                json.object { json in
                    json.member("id", person.userID)
                    json.member("username", person.username)
                    json.member("displayName", person.displayName)
                    json.member("picture", pictures.path(of: person.picture))
                }
            }
        }
        json.member("title", notification.content.title)
        json.member("body", notification.content.body)
        json.member("path", notification.content.path)
        json.member("at", notification.lastAt)
        json.member("isRead", mark.map { notification.number <= $0 } ?? false)
    }
}

extension UnreadNotifications {
    func writeMembers(to json: inout JSONWriter) {
        json.member("count", count)
        json.member("isMore", isMore)
    }
}
