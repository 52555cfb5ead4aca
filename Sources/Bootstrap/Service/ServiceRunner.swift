import Foundation
import Logging
import ServiceLifecycle
import UnixSignals

/// The life of a service process, from its command line to its exit status.
package enum ServiceRunner {
    /// Makes the services, in the order in which they depend on each other: the last is stopped first.
    package typealias Body = @Sendable (BacklineConfiguration, ServiceManager, Logger) async throws -> [any Service]

    /// What the command line and the configuration come to.
    package enum Preparation: Sendable {
        case start(LoadedConfiguration)
        /// Nothing to start: each text goes to its stream.
        case leave(ProcessStatus, output: String, complaint: String)
    }

    /// Runs the services until SIGTERM, SIGINT or the failure of one of them, then leaves the process.
    ///
    /// - Parameters:
    ///   - name: of the executable; it labels the log and begins complaints.
    ///   - arguments: without the executable's own path.
    package static func run(
        name: String, arguments: [String] = Array(CommandLine.arguments.dropFirst()),
        environment: [String: String] = ProcessInfo.processInfo.environment, body: Body
    ) async -> Never {
        switch prepare(name: name, arguments: arguments, environment: environment) {
        case .leave(let status, let output, let complaint):
            FileHandle.standardOutput.write(Data(output.utf8))
            StandardError.write(complaint)
            exit(status.rawValue)
        case .start(let loaded):
            // A peer or a log reader that leaves is an error of one write, not the end of the process.
            signal(SIGPIPE, SIG_IGN)
            OpenFileLimit.raise()
            if let complaint = OpenFileLimit.complaint {
                StandardError.write("\(name): \(complaint)\n")
                exit(ProcessStatus.configuration.rawValue)
            }
            ServiceManager.withdrawVariables()
            LoggingBootstrap.install(loaded.configuration.log)
            let manager = ServiceManager(environment: environment, logger: Logger(label: name))
            let status = await start(name: name, loaded: loaded, manager: manager, body: body)
            exit(status.rawValue)
        }
    }

    package static func prepare(name: String, arguments: [String], environment: [String: String]) -> Preparation {
        switch ServiceArguments(arguments) {
        case .help:
            return .leave(.success, output: ServiceArguments.usage(of: name) + "\n", complaint: "")
        case .version:
            return .leave(.success, output: "\(name) \(BacklineVersion.current)\n", complaint: "")
        case .misuse(let what):
            let usage = ServiceArguments.usage(of: name)
            return .leave(.usage, output: "", complaint: "\(name): \(what)\n\n\(usage)\n")
        case .start(let file):
            do {
                return .start(try BacklineConfiguration.load(file: file, environment: environment))
            } catch {
                let lines = error.problems.map { "\(name): \($0)\n" }.joined()
                return .leave(.configuration, output: "", complaint: lines)
            }
        }
    }

    private static func start(
        name: String, loaded: LoadedConfiguration, manager: ServiceManager, body: Body
    ) async -> ProcessStatus {
        let logger = Logger(label: name)
        for warning in loaded.warnings {
            logger.warning("\(warning.text)")
        }
        logger.info(
            "starting",
            metadata: [
                "version": "\(BacklineVersion.current)", "configuration": "\(loaded.file ?? "built-in defaults")",
            ])
        do {
            let services = try await body(loaded.configuration, manager, logger)
            return await serve(
                services, gracePeriod: loaded.configuration.worker.gracePeriod, signals: [.sigterm, .sigint],
                manager: manager, logger: logger
            ) {
                // Not `exit`: what would run there belongs to threads that are still at work.
                _exit(ProcessStatus.failure.rawValue)
            }
        } catch let error as ConfigurationError {
            for problem in error.problems { logger.critical("could not start", metadata: ["error": "\(problem.text)"]) }
            return .configuration
        } catch {
            logger.critical("could not start", metadata: ["error": "\(error)"])
            return .failure
        }
    }

    /// Runs the services until a signal asks them to stop or one of them ends.
    ///
    /// A service that fails makes the others stop gracefully; one that ends unasked cancels them.
    /// - Parameter expire: called when the services are not done `gracePeriod` after they were told to stop.
    package static func serve(
        _ services: [any Service], gracePeriod: Duration, signals: [UnixSignal], manager: ServiceManager,
        logger: Logger, expire: @escaping @Sendable () -> Void
    ) async -> ProcessStatus {
        guard !services.isEmpty else { return .success }
        let reporting = services.map { service in
            ServiceGroupConfiguration.ServiceConfiguration(
                service: ReportingService(base: service, logger: logger),
                failureTerminationBehavior: .gracefullyShutdownGroup, serviceName: "\(type(of: service))")
        }
        let deadline = ServiceGroupConfiguration.ServiceConfiguration(
            service: GraceDeadline(gracePeriod: gracePeriod, manager: manager, logger: logger, expire: expire),
            serviceName: "GraceDeadline")
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: reporting + [deadline], gracefulShutdownSignals: signals, logger: logger))
        do {
            try await group.run()
            logger.info("stopped")
            return .success
        } catch {
            logger.error("stopped after a failure", metadata: ["error": "\(error)"])
            return .failure
        }
    }
}
