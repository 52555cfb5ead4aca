import Gateway
import HTTPTypes
import Hummingbird
import Model
import Notifications
import NotificationSources
import Push
import Storage
import Synchronization
import Telemetry

/// `/v1/admin/pushes`: what waits to be pushed, and which services refuse this installation.
struct PushAdminRoutes {
    let database: Database
    let contact: VAPIDContact?

    func add(to group: RouterGroup<GatewayContext>) {
        group.group("admin").add(middleware: AdminMiddleware()).get("pushes", use: show)
    }

    @Sendable private func show(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let now = Timestamp.now()
        let (state, key) = try await database.read {
            (try $0.notifications.pushBacklog(at: now), try $0.notifications.webPushKey())
        }
        let body = JSONWriter.object { json in
            json.member("webPush", WebPushState(key: key, contact: contact).rawValue)
            json.member("waiting", state.waiting)
            json.member("oldestWaitingSeconds", state.oldest.map { Int($0.duration(to: now).components.seconds) } ?? 0)
            json.member("targets", state.targets)
            json.member("refusing") { json in
                json.array(state.refusals) { json, refusal in
                    json.object { json in
                        json.member("channel", NotificationChannel.webPush.rawValue)
                        json.member("host", refusal.host)
                        json.member("since", refusal.since)
                        json.member("nextAttemptAt", refusal.nextAt)
                        json.member("answer", refusal.answer)
                    }
                }
            }
        }
        return .json(.ok, body)
    }
}

/// The state of pushes at the last look, for the metrics.
final class PushGauges: Sendable {
    private let last = Mutex<PushBacklog?>(nil)

    func set(_ backlog: PushBacklog) { last.withLock { $0 = backlog } }

    func collect(into snapshot: inout MetricSnapshot) {
        guard let backlog = last.withLock({ $0 }) else { return }
        snapshot.set(.pushesWaiting, to: backlog.waiting)
        snapshot.set(.pushServicesRefusing, to: backlog.refusals.count)
    }
}
