import Foundation
import Logging
import ServiceLifecycle
import Settings
import UnixSignals

/// Runs a service process, from its command line to its exit status.
package enum ServiceRunner {
    /// Makes the services, each after those that it depends on. They are stopped in reverse order.
    package typealias Body = @Sendable (BacklineConfiguration, ServiceManager, Logger) async throws -> [any Service]

    /// The outcome of reading the command line and the configuration.
    package enum Preparation: Sendable {
        case start(LoadedConfiguration)
        /// The process exits with this status, after writing the output to standard output and the complaint to
        /// standard error.
        case exit(ProcessStatus, output: String, complaint: String)
    }

    /// Runs the services until SIGTERM, SIGINT or the failure of one of them, then exits the process.
    ///
    /// - Parameters:
    ///   - name: the executable's name, which labels the log and begins every complaint.
    ///   - sections: the sections of the domains.
    ///   - arguments: the command line without the executable's path.
    package static func run(
        name: String, sections: [any SettingsSection.Type],
        arguments: [String] = Array(CommandLine.arguments.dropFirst()),
        environment: [String: String] = ProcessInfo.processInfo.environment, body: Body
    ) async -> Never {
        switch prepare(name: name, sections: sections, arguments: arguments, environment: environment) {
        case .exit(let status, let output, let complaint):
            FileHandle.standardOutput.write(Data(output.utf8))
            StandardError.write(complaint)
            exit(status.rawValue)
        case .start(let loaded):
            // A write to a closed socket or pipe must fail with EPIPE instead of terminating the process.
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

    package static func prepare(
        name: String, sections: [any SettingsSection.Type], arguments: [String], environment: [String: String]
    ) -> Preparation {
        switch ServiceArguments(arguments) {
        case .help:
            return .exit(.success, output: ServiceArguments.usage(of: name) + "\n", complaint: "")
        case .version:
            return .exit(.success, output: "\(name) \(BacklineVersion.current)\n", complaint: "")
        case .misuse(let what):
            let usage = ServiceArguments.usage(of: name)
            return .exit(.usage, output: "", complaint: "\(name): \(what)\n\n\(usage)\n")
        case .start(let file):
            do {
                return .start(try BacklineConfiguration.load(sections: sections, file: file, environment: environment))
            } catch {
                let lines = error.problems.map { "\(name): \($0)\n" }.joined()
                return .exit(.configuration, output: "", complaint: lines)
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
                // `exit` has handlers that would destroy objects that running threads still use.
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
    /// When a service fails, the others shut down gracefully. When one returns without being asked to stop, the others
    /// are cancelled.
    ///
    /// - Parameter expire: called when services still run `gracePeriod` after shutdown began.
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

/// The exit status of a service process, after sysexits(3) where that has a number.
package enum ProcessStatus: Int32, Sendable {
    case success = 0
    /// A service failed, or did not end within its grace period.
    case failure = 1
    /// EX_USAGE: the command line is wrong.
    case usage = 64
    /// EX_CONFIG: the configuration cannot be used.
    case configuration = 78
}
