import Storage

extension Migration {
    /// What people are notified of, and what is pushed to their devices. People are named by their keys in the table
    /// `people`. No row has a text or a name of anybody.
    static let notificationTables = Migration(
        domain: "notifications", number: 1, name: "tables",
        statements: notificationGroups + notificationChoices + pushTargets + pushIntents + announcements)

    private static let notificationGroups: [SQL] = [
        // The events of one kind and subject on one day in the person's time zone. `number` is the change number of the
        // last event, by which lists are sorted; `has_more` says that there were more events than are kept.
        // `is_listed` is 1 for what the person wants in the list.
        """
        CREATE TABLE notification_groups (
            person BIGINT NOT NULL,
            key BIGINT NOT NULL,
            kind TEXT NOT NULL,
            subject TEXT NOT NULL,
            day TEXT NOT NULL,
            number BIGINT NOT NULL,
            change BIGINT NOT NULL,
            has_more BIGINT NOT NULL,
            is_listed BIGINT NOT NULL,
            last_at BIGINT NOT NULL,
            PRIMARY KEY (person, key)
        ) \(Dialect.clusteredByPrimaryKey)
        """,
        "CREATE UNIQUE INDEX notification_groups_by_subject ON notification_groups (person, kind, subject, day)",
        "CREATE INDEX notification_groups_by_number ON notification_groups (person, number) WHERE is_listed = 1",
        "CREATE INDEX notification_groups_by_change ON notification_groups (person, change)",
        "CREATE INDEX notification_groups_by_age ON notification_groups (last_at)",
        // `item` is the id of what happened in the domain of the kind. `actor` is NULL where nobody acted.
        """
        CREATE TABLE notification_events (
            person BIGINT NOT NULL,
            group_key BIGINT NOT NULL,
            number BIGINT NOT NULL,
            kind TEXT NOT NULL,
            item TEXT NOT NULL,
            actor BIGINT,
            happened_at BIGINT NOT NULL,
            PRIMARY KEY (person, group_key, number)
        ) \(Dialect.clusteredByPrimaryKey)
        """,
        "CREATE UNIQUE INDEX notification_events_by_item ON notification_events (person, kind, item)",
        """
        CREATE INDEX notification_events_of_actor ON notification_events (actor, person, happened_at)
        WHERE actor IS NOT NULL
        """,
        // How far a person has read: the notification with this number, and all below it.
        """
        CREATE TABLE notification_marks (
            person \(Dialect.integerKey) PRIMARY KEY,
            number BIGINT NOT NULL,
            change BIGINT NOT NULL
        )
        """,
    ]

    private static let notificationChoices: [SQL] = [
        // The channels of a kind, the sum of the numbers of `NotificationChannel`. Without a row, it is as the kind
        // declares.
        """
        CREATE TABLE notification_channels (
            person BIGINT NOT NULL,
            kind TEXT NOT NULL,
            channels BIGINT NOT NULL,
            PRIMARY KEY (person, kind)
        ) \(Dialect.clusteredByPrimaryKey)
        """,
        // Quiet hours in minutes of the day, NULL for none; `policy` is a number of `NotificationPolicy`.
        """
        CREATE TABLE notification_settings (
            person \(Dialect.integerKey) PRIMARY KEY,
            quiet_start BIGINT,
            quiet_end BIGINT,
            policy BIGINT NOT NULL
        )
        """,
    ]

    private static let pushTargets: [SQL] = [
        // Where a person's notifications are pushed to. Its address and keys are a secret of the vault. `channel` is a
        // number of `NotificationChannel`; `credential` names the session or token with which it ends. `refused_at` is
        // NULL unless the service has refused the last push.
        """
        CREATE TABLE push_targets (
            person BIGINT NOT NULL,
            id TEXT NOT NULL,
            channel BIGINT NOT NULL,
            host TEXT NOT NULL,
            fingerprint TEXT NOT NULL,
            credential TEXT NOT NULL,
            created_at BIGINT NOT NULL,
            confirmed_at BIGINT NOT NULL,
            sent_at BIGINT,
            refused_at BIGINT,
            PRIMARY KEY (person, id)
        ) \(Dialect.clusteredByPrimaryKey)
        """,
        "CREATE INDEX push_targets_by_fingerprint ON push_targets (fingerprint)",
        "CREATE INDEX push_targets_by_host ON push_targets (channel, host, person)",
        // Push services that refuse the installation: nothing is sent to them before `next_at`.
        """
        CREATE TABLE push_refusals (
            host TEXT NOT NULL PRIMARY KEY,
            since BIGINT NOT NULL,
            next_at BIGINT NOT NULL,
            answer TEXT NOT NULL
        ) \(Dialect.clusteredByPrimaryKey)
        """,
        // The public half of the key for Web Push; one row once a worker has made it.
        "CREATE TABLE web_push_keys (public_key TEXT NOT NULL, made_at BIGINT NOT NULL)",
    ]

    private static let pushIntents: [SQL] = [
        // That a group is to be pushed to a target. `state` is a number of `PushState`; `number` is that of the group's
        // last event, and `sent_number` of the last one that was pushed or seen. After `ends_at` it means nothing.
        // `has_waited` is 1 once quiet hours have delayed it.
        """
        CREATE TABLE push_intents (
            person BIGINT NOT NULL,
            group_key BIGINT NOT NULL,
            target TEXT NOT NULL,
            kind TEXT NOT NULL,
            channel BIGINT NOT NULL,
            host TEXT NOT NULL,
            state BIGINT NOT NULL,
            number BIGINT NOT NULL,
            due_at BIGINT NOT NULL,
            ends_at BIGINT NOT NULL,
            sent_number BIGINT NOT NULL,
            sent_at BIGINT,
            attempts BIGINT NOT NULL,
            has_waited BIGINT NOT NULL,
            PRIMARY KEY (person, group_key, target)
        ) \(Dialect.clusteredByPrimaryKey)
        """,
        "CREATE INDEX push_intents_new ON push_intents (person) WHERE state = 0",
        "CREATE INDEX push_intents_waiting ON push_intents (host, due_at, person, target) WHERE state = 1",
        "CREATE INDEX push_intents_due ON push_intents (due_at) WHERE state = 1",
        "CREATE INDEX push_intents_taken ON push_intents (host) WHERE state = 2",
        // For what is seen: a person's notifications of 90 days are many, and few of them are still owed.
        "CREATE INDEX push_intents_owed ON push_intents (person, number) WHERE state <> 3",
        "CREATE INDEX push_intents_of_target ON push_intents (person, target)",
    ]

    private static let announcements: [SQL] = [
        // News of topics of which all readers are to be notified, some at a time: those up to `after` have been.
        """
        CREATE TABLE notification_announcements (
            number \(Dialect.integerKey) PRIMARY KEY,
            kind TEXT NOT NULL,
            subject TEXT NOT NULL,
            item TEXT NOT NULL,
            happened_at BIGINT NOT NULL,
            after BIGINT NOT NULL
        )
        """,
        """
        CREATE TABLE notification_announcement_topics (
            number BIGINT NOT NULL,
            topic BIGINT NOT NULL,
            PRIMARY KEY (number, topic)
        ) \(Dialect.clusteredByPrimaryKey)
        """,
    ]
}
