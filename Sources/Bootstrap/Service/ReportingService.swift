import Logging
import ServiceLifecycle

/// Logs the failure of a service at once. The service group throws the error only after all other services have ended.
struct ReportingService: Service {
    let base: any Service
    let logger: Logger

    func run() async throws {
        do {
            try await base.run()
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            logger.critical(
                "service failed", metadata: ["service": "\(type(of: base))", "error": "\(error)"])
            throw error
        }
    }
}
