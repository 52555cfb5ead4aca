import HTTPTypes
import Hummingbird
import Logging
import Model
import Synchronization
import Telemetry

/// Counts and logs every request, and makes its trace id the context of all work done for it.
///
/// It is the outermost middleware, so that it sees the response that is sent.
final class TelemetryMiddleware: RouterMiddleware {
    typealias Context = GatewayContext

    private struct Key: Hashable {
        var method: String
        var route: String
        var status: Int
    }

    private struct Instruments {
        var requests: Counter
        var time: Histogram
    }

    private let metrics: MetricRegistry
    private let secretPaths: SecretPaths
    private let known = Mutex<[Key: Instruments]>([:])

    init(metrics: MetricRegistry, secretPaths: SecretPaths = SecretPaths([])) {
        self.metrics = metrics
        self.secretPaths = secretPaths
    }

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let began = MonotonicInstant.now()
        let response: Response
        if let trace = request.headers[.traceparent].flatMap(TraceID.parse) {
            response = try await LogContext.$current.withValue(LogContext(trace: trace)) {
                let response = try await next(request, context)
                log(request, context, response.status, began)
                return response
            }
        } else {
            response = try await next(request, context)
            log(request, context, response.status, began)
        }
        let key = Key(
            method: Self.methods.contains(request.method) ? request.method.rawValue : "other",
            route: context.endpointPath.map(Self.template) ?? "none", status: response.status.code)
        let instruments = instruments(for: key)
        instruments.requests.add()
        instruments.time.observe(began.duration(to: .now()))
        return response
    }

    private func instruments(for key: Key) -> Instruments {
        known.withLock { known in
            if let instruments = known[key] { return instruments }
            let instruments = Instruments(
                requests: metrics.counter(.httpRequests, [key.method, key.route, "\(key.status)"]),
                time: metrics.histogram(.httpTime, [key.method, key.route]))
            known[key] = instruments
            return instruments
        }
    }

    /// Logs the path without its query, which may contain what people search for, and without secrets.
    private func log(
        _ request: Request, _ context: Context, _ status: HTTPResponse.Status, _ began: MonotonicInstant
    ) {
        let level: Logger.Level = status.code < 400 || status == .clientClosedRequest ? .debug : .info
        guard context.logger.logLevel <= level else { return }
        var metadata: Logger.Metadata = [
            "method": "\(request.method)", "path": "\(secretPaths.masked(request.loggedPath(context)).prefix(200))",
            "status": "\(status.code)", "ms": "\(began.duration(to: .now()).microseconds / 1_000)",
        ]
        if let user = context.visitor.userID { metadata["user"] = "\(UserPseudonym.of(user))" }
        context.logger.log(level: level, "request", metadata: metadata)
    }

    /// The methods that have their own metric series. Clients may send any other word, so all others share the series
    /// `other`.
    private static let methods: Set<HTTPRequest.Method> = [.get, .head, .post, .put, .patch, .delete, .options]

    /// `/v1/jobs/{id}`, as `docs/openapi.yaml` writes it.
    static func template(_ path: String) -> String {
        guard path.contains(":") else { return path.hasPrefix("/") ? path : "/" + path }
        let parts = path.split(separator: "/").map { $0.first == ":" ? "{\($0.dropFirst())}" : String($0) }
        return "/" + parts.joined(separator: "/")
    }
}

extension HTTPField.Name {
    /// w3.org/TR/trace-context.
    static let traceparent = HTTPField.Name("traceparent")!
}
