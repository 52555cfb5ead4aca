import Domains
import Foundation
import Model
import Storage
import Synchronization
import Upstream

/// A process that makes upstream calls, for tests with several processes.
///
/// Its settings are one JSON argument. It prints `ready`, waits for a line on its standard input, makes its calls,
/// prints how many were answered with 200 and how many permits ran out, and ends. Before it signals itself it prints
/// `granted`.
@main
struct PermitProbe: Decodable {
    var database: String
    var baseURL: String
    var calls: Int
    var requests: Int
    var windowMilliseconds: Int
    var timeoutMilliseconds: Int
    var isBackground: Bool
    /// A signal that the process sends itself when its first permit has been granted, before the request leaves.
    var signalAfterGrant: Int32?
    /// Further limits of its key.
    var quotas: [Quota]?
    /// The largest weight of a call; the smallest is 1. The path of a call is `/PROCESS/WEIGHT`.
    var heaviest: Int?

    struct Quota: Decodable {
        var name: String
        var isOfWeight: Bool
        var amount: Int
        var windowMilliseconds: Int
    }

    static func main() async throws {
        let probe = try JSONDecoder().decode(Self.self, from: Data(CommandLine.arguments[1].utf8))
        try await probe.run()
    }

    private func run() async throws {
        let hasSignalled = Atomic(false)
        let missed = Atomic(0)
        let transport = HTTPTransport(userAgent: "probe")
        let runtime = UpstreamRuntime(
            transport: transport, database: try Database.open(path: database, schema: Schema(of: [.storage, .permits]))
        ) { event in
            if case .permitMissed = event.kind { missed.add(1, ordering: .relaxed) }
            guard case .permitGranted = event.kind, let signal = signalAfterGrant,
                !hasSignalled.exchange(true, ordering: .relaxed)
            else { return }
            print("granted")
            fflush(nil)
            // The signal is for this thread, so that it stops at once.
            raise(signal)
        }
        let client = UpstreamClient(
            runtime: runtime, provider: "probe", baseURL: try BaseURL(baseURL), credential: Secret("probe"),
            limit: PermitLimit(requests: requests, window: .milliseconds(windowMilliseconds)),
            quotas: (quotas ?? []).map { quota in
                PermitQuota(
                    name: quota.name, unit: quota.isOfWeight ? .weight : .requests, amount: quota.amount,
                    window: .milliseconds(quota.windowMilliseconds))
            },
            limits: TransferLimits(totalTimeout: .milliseconds(timeoutMilliseconds)),
            weight: { Int(String(decoding: $0.body, as: UTF8.self)) })
        print("ready")
        fflush(nil)
        _ = readLine()
        let process = getpid()
        let answered = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<calls {
                group.addTask {
                    let weight = heaviest.map { Int.random(in: 1...$0) }
                    let path = "/\(process)" + (weight.map { "/\($0)" } ?? "")
                    let request = UpstreamRequest(
                        path: path, urgency: isBackground ? .background : .interactive, weight: weight ?? 0)
                    return (try? await client.send(request))?.status == 200
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        await runtime.shutdown()
        print("answered \(answered), missed \(missed.load(ordering: .relaxed))")
    }
}
