import Storage

/// A person blocked another one. Visibility publishes it in the transaction of the block, wherever it was asked for, and
/// not again for a block that exists. The two can no longer see each other then.
package struct PeopleBlocked: DomainEvent {
    /// The id of the person who blocked the other.
    package let blockerID: String
    package let blockedID: String

    package init(blockerID: String, blockedID: String) {
        (self.blockerID, self.blockedID) = (blockerID, blockedID)
    }
}

/// A person has ended the block of another one. Visibility publishes it in the transaction that ends it. The two still do
/// not see each other if the other one has blocked as well.
package struct PeopleUnblocked: DomainEvent {
    /// The id of the person who had blocked the other.
    package let blockerID: String
    package let blockedID: String

    package init(blockerID: String, blockedID: String) {
        (self.blockerID, self.blockedID) = (blockerID, blockedID)
    }
}

/// Nobody else may see the profile of a person any longer: it is private from now on, or its person's erasure has begun.
/// Visibility publishes it in the transaction of the change.
package struct ProfileClosed: DomainEvent {
    package let userID: String

    package init(userID: String) {
        self.userID = userID
    }
}

/// More people may see the profile of a person from now on, and what the person shows there. Visibility publishes it in
/// the transaction that changes the visibility or ends a suspension.
package struct ProfileOpened: DomainEvent {
    package let userID: String

    package init(userID: String) {
        self.userID = userID
    }
}

/// A person changed their home city in their profile. Accounts publishes it.
package struct HomeCityChanged: DomainEvent {
    package let userID: String

    package init(userID: String) {
        self.userID = userID
    }
}

/// A person changed the time zone in their profile. Accounts publishes it.
package struct TimeZoneChanged: DomainEvent {
    package let userID: String

    package init(userID: String) {
        self.userID = userID
    }
}
