import Logging
import ServiceLifecycle

/// Says at once that a service failed. The group would only throw the error when every other service has ended.
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
