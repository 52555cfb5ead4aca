import DomainEvents
import Gateway
import HTTPTypes
import Hummingbird
import Model
import NotificationSources
import Notifications
import Storage
import Visibility

/// `/v1/notifications/settings`: of what a person is notified, where, and when not.
struct NotificationSettingRoutes {
    let parts: NotificationParts
    let maximumBodyBytes: Int

    func add(to group: RouterGroup<GatewayContext>) {
        group.get("notifications/settings", use: show)
        group.put("notifications/settings", use: change)
    }

    private struct Found: Sendable {
        var channels: [NotificationKind: Set<NotificationChannel>] = [:]
        var choices = NotificationChoices()
        var zone: String?
    }

    @Sendable private func show(_ request: Request, _ context: GatewayContext) async throws -> Response {
        .cacheable(try await settings(of: context), for: request)
    }

    @Sendable private func change(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let body = try await request.json(limit: maximumBodyBytes)
        let fields = try body.object(["kinds", "quietHours", "policy"], keepsNull: true)
        let channels = try fields["kinds"].map(Self.channels) ?? [:]
        let policy: NotificationPolicy? = try fields["policy"]?.value(
            "expected anybody, followed or mutual", NotificationPolicy.init(rawValue:))
        let hours = fields["quietHours"]
        let quietHours = try hours.flatMap { $0.isNull ? nil : try Self.quietHours($0) }
        let kinds = parts.kinds
        let changesHours = hours != nil
        try await parts.act(context) { transaction, userID in
            try transaction.notifications.choose(channels: channels, of: userID, kinds: kinds) { choices in
                if changesHours { choices.quietHours = quietHours }
                if let policy { choices.policy = policy }
            }
        }
        return .json(.ok, try await settings(of: context))
    }

    private static func channels(
        _ field: RequestField
    ) throws -> [NotificationKind: Set<NotificationChannel>] {
        var channels: [NotificationKind: Set<NotificationChannel>] = [:]
        for element in try field.array(limit: 100, of: "kinds") {
            let fields = try element.object(["kind", "channels"])
            guard let name = try fields["kind"]?.string(limit: 100), let list = fields["channels"] else {
                throw element.refuse("the fields kind and channels are missing.")
            }
            let chosen: [NotificationChannel] = try list.array(limit: 3, of: "channels").map {
                try $0.value("expected page, webPush or ntfy", NotificationChannel.init(rawValue:))
            }
            channels[NotificationKind(rawValue: name)] = Set(chosen)
        }
        return channels
    }

    private static func quietHours(_ field: RequestField) throws -> QuietHours {
        let fields = try field.object(["start", "end"])
        guard let start = fields["start"], let end = fields["end"] else {
            throw field.refuse(
                "the fields start and end are missing: send times such as 22:00, or null for no quiet hours.")
        }
        let times = try [start, end].map { field -> Int in
            try field.value("expected a time such as 22:00") { Self.minutes($0) }
        }
        guard let hours = QuietHours(start: times[0], end: times[1]) else {
            throw field.refuse("start and end are the same; send null for no quiet hours.")
        }
        return hours
    }

    /// The minutes of the day of a time such as `22:00`.
    private static func minutes(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard text.utf8.count == 5, parts.count == 2, let hour = Int(decimal: parts[0], in: 0...23),
            let minute = Int(decimal: parts[1], in: 0...59), parts[0].utf8.count == 2
        else { return nil }
        return hour * 60 + minute
    }

    private func settings(of context: GatewayContext) async throws -> [UInt8] {
        let accounts = parts.accounts
        let userID = try context.userID
        let found = try await parts.database.read { reader -> Found in
            guard let person = try reader.visibility.viewer(userID: userID)?.key else { return Found() }
            return Found(
                channels: try reader.notifications.chosenChannels(of: person),
                choices: try reader.notifications.choices(of: person), zone: try accounts.zone(of: userID, in: reader))
        }
        return JSONWriter.object { json in
            json.member("kinds") { json in
                json.array(parts.kinds.sources) { json, source in
                    let channels = found.channels[source.kind] ?? source.channels
                    json.object { json in
                        json.member("kind", source.kind.rawValue)
                        json.member("label", source.label)
                        json.member("channels") { json in
                            json.array(NotificationChannel.allCases.filter(channels.contains)) { $0.value($1.rawValue) }
                        }
                    }
                }
            }
            json.member("quietHours") { json in
                guard let hours = found.choices.quietHours else { return json.raw("null") }
                json.object { json in
                    json.member("start", Self.text(hours.start))
                    json.member("end", Self.text(hours.end))
                }
            }
            json.member("timeZone", found.zone ?? "UTC")
            json.member("policy", found.choices.policy.rawValue)
        }
    }

    private static func text(_ minutes: Int) -> String {
        let (hour, minute) = minutes.quotientAndRemainder(dividingBy: 60)
        return (hour < 10 ? "0" : "") + "\(hour):" + (minute < 10 ? "0" : "") + "\(minute)"
    }
}
