import ArgumentParser
import Bootstrap
import Domains
import Gateway
import Settings
import Storage
import Workers

/// A domain of Backline with all of its parts: one entry of the list that puts the product together.
struct DomainParts: Sendable {
    /// What it declares about its rows, its jobs and its settings.
    let core: Domain
    /// Makes its parts of the gateway.
    let gateway: @Sendable (GatewayParts) -> [GatewayDomain]
    /// Its handlers of jobs, by the worker that runs them.
    let workers: [WorkerProgram: [WorkerDomain]]
    /// Its commands, by the group of the help that shows them.
    let commands: [CommandGroupName: [any ParsableCommand.Type]]
    /// What it does when events of other domains happen.
    let subscribers: @Sendable (BacklineConfiguration) -> [EventSubscriber]
    /// The codes that only its routes answer with.
    let problemCodes: [ProblemCode]

    init(
        _ core: Domain, gateway: @escaping @Sendable (GatewayParts) -> [GatewayDomain] = { _ in [] },
        workers: [WorkerProgram: [WorkerDomain]] = [:],
        commands: [CommandGroupName: [any ParsableCommand.Type]] = [:],
        subscribers: @escaping @Sendable (BacklineConfiguration) -> [EventSubscriber] = { _ in [] },
        problemCodes: [ProblemCode] = []
    ) {
        self.core = core
        self.gateway = gateway
        self.workers = workers
        self.commands = commands
        self.subscribers = subscribers
        self.problemCodes = problemCodes
    }
}

/// The programs that run jobs.
package enum WorkerProgram: Sendable, CaseIterable {
    /// Runs the jobs that call Ticketmaster. Several may run.
    case concert
    /// Runs the jobs that call music services, and those that call nothing.
    case sync
    /// Runs the jobs that ask models.
    case ai
}

/// The groups of domains' commands in the help of `backline`.
package enum CommandGroupName: Sendable {
    case use
    case people
}

// What the programs read from the list.

extension [Domain] {
    /// What all domains of Backline declare, in the order in which their migrations run.
    package static let all: [Domain] = [DomainParts].all.map(\.core)
}

extension [any SettingsSection.Type] {
    /// The sections of the configuration that belong to domains.
    package static let all: [any SettingsSection.Type] = [Domain].all.settings
}

extension GatewayDomain {
    /// All domains of the gateway.
    package static func all(_ services: GatewayServices, _ settings: DomainSettings) -> [GatewayDomain] {
        let parts = GatewayParts(services: services, settings: settings)
        return [DomainParts].all.flatMap { $0.gateway(parts) }
    }
}

extension [WorkerDomain] {
    /// The domains whose jobs a worker runs. Together, the workers have handlers for all kinds of jobs.
    package static func all(of program: WorkerProgram) -> [WorkerDomain] {
        [DomainParts].all.flatMap { $0.workers[program] ?? [] }
    }
}

extension [EventSubscriber] {
    /// What the domains do when events of others happen. The gateway and every worker register all of them.
    package static func all(_ configuration: BacklineConfiguration) -> [EventSubscriber] {
        [DomainParts].all.flatMap { $0.subscribers(configuration) }
    }
}

extension [ProblemCode] {
    /// The codes of the gateway itself and of all domains.
    package static let all = ProblemCode.edge + ProblemCode.providers + [DomainParts].all.flatMap(\.problemCodes)
}

extension [any ParsableCommand.Type] {
    /// The domains' commands in a group.
    package static func all(in group: CommandGroupName) -> [any ParsableCommand.Type] {
        [DomainParts].all.flatMap { $0.commands[group] ?? [] }
    }
}
