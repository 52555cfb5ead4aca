import Storage

extension Migration {
    /// Until when nothing is sent to a target.
    static let notificationTargetPauses = Migration(
        domain: "notifications", number: 2, name: "targetPauses",
        statements: [
            // NULL unless the service of the target has refused a push, or asked to wait.
            "ALTER TABLE push_targets ADD COLUMN paused_until BIGINT"
        ])
}
