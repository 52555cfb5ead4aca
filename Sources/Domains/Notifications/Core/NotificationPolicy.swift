import Storage

/// Whose acts a person is notified of.
package enum NotificationPolicy: String, Sendable, CaseIterable {
    case anybody
    /// People whom the person follows.
    case followed
    /// People whom the person follows, and who follow the person.
    case mutual

    /// The value of `notification_settings.policy`.
    package var number: Int64 {
        switch self {
        case .anybody: 0
        case .followed: 1
        case .mutual: 2
        }
    }

    /// - Parameter number: an unknown one is of a later version, and counts as the narrowest.
    package init(number: Int64) {
        self = Self.allCases.first { $0.number == number } ?? .mutual
    }
}

/// What a person has chosen about notifications, besides the channels of kinds.
package struct NotificationChoices: Sendable, Equatable {
    package var quietHours: QuietHours?
    package var policy = NotificationPolicy.anybody

    package init(quietHours: QuietHours? = nil, policy: NotificationPolicy = .anybody) {
        (self.quietHours, self.policy) = (quietHours, policy)
    }
}
