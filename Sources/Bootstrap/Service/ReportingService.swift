import Logging
import Platform
import ServiceLifecycle

/// Logs the failure of a service at once. The service group throws the error only after all other services have ended.
///
/// A service that cannot listen is reported like everything else that prevents the start.
struct ReportingService: Service {
    let base: any Service
    let logger: Logger

    func run() async throws {
        do {
            try await base.run()
        } catch is CancellationError {
            throw CancellationError()
        } catch let error as BindError {
            logger.critical("could not start", metadata: ["error": "\(error)"])
            throw error
        } catch {
            logger.critical(
                "service failed", metadata: ["service": "\(type(of: base))", "error": "\(error)"])
            throw error
        }
    }
}
