import Jobs

extension JobSettings {
    package init(_ configuration: BacklineConfiguration.Jobs) {
        self.init(
            lease: configuration.lease, heartbeat: configuration.heartbeat, ageing: configuration.ageing,
            maximumAttempts: configuration.maximumAttempts, retention: configuration.retention)
    }
}
