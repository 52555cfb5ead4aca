import Storage

/// A person who has read all changes up to a number.
package struct ChangeReader: Sendable, Hashable {
    package let userID: String
    package let after: Int64

    package init(userID: String, after: Int64) {
        (self.userID, self.after) = (userID, after)
    }
}

/// A domain's source of events: what changed of a person's items of one kind.
package struct EventSource: Sendable {
    /// An item after its last change, that it is gone, or that all items of the kind are to be read again.
    package struct Change: Sendable {
        let number: Int64
        /// `nil` for an item of the source's own kind.
        let kind: ItemKind?
        /// Under which the API shows the item.
        let id: String
        let state: ItemChange.State
        /// The item as JSON; `nil` for another change.
        var data: [UInt8]? {
            if case .item(let data) = state { data } else { nil }
        }

        /// - Parameter data: the item as JSON.
        package init(number: Int64, id: String, data: [UInt8]) {
            (self.number, kind, self.id, state) = (number, nil, id, .item(data))
        }

        /// What a person can no longer see, as the read decides: nothing is stored for each of them.
        package init(number: Int64, gone kind: ItemKind, id: String) {
            (self.number, self.kind, self.id, state) = (number, kind, id, .gone)
        }

        /// A person sees so much more or less of a kind that it is to be read again.
        package init(number: Int64, reset kind: ItemKind) {
            (self.number, self.kind, id, state) = (number, kind, "", .reset)
        }
    }

    /// What a source reports of the authors whom people follow, beside what is recorded for a person (``topics``).
    package struct Authors: Sendable {
        /// Reads such changes for many people at once, since one change of an author reaches all followers at the same
        /// moment. What each of them may see is decided by this read.
        ///
        /// - Parameter readers: have no changes of their own rows.
        /// - Returns: the changes of each in their order. Somebody is missing whose changes have to be read alone.
        package typealias Read =
            @Sendable (_ reader: ReadTransaction, _ readers: [ChangeReader]) throws -> [ChangeReader: [Change]]

        let aspect: AuthorAspect
        let read: Read?

        /// - Parameter read: `nil` reads the changes of each person alone.
        package init(_ aspect: AuthorAspect, read: Read? = nil) {
            (self.aspect, self.read) = (aspect, read)
        }
    }

    /// Also the name of its events, for which pages listen.
    let kind: ItemKind
    /// The topics whose changes it reports. It is read only after one of them changed; `nil` reads it after every
    /// change of a person's rows.
    let topics: Set<ChangeTopic>?
    /// Further kinds whose `gone` takes items of this source with it, such as everything of a person.
    let goneKinds: Set<ItemKind>
    /// Those of the further kinds that this source itself reports, besides those that are recorded (`recordGone`).
    let reportedGoneKinds: Set<ItemKind>
    /// What it also reports of the authors whom a person follows; `nil` for nothing.
    let authors: Authors?
    /// Whether `GET /v1/changes` has these items. Otherwise only the event stream does, such as of a state of which
    /// only the present one counts.
    let isInChanges: Bool
    let changes: @Sendable (ReadTransaction, _ userID: String, _ after: Int64, _ limit: Int) throws -> [Change]
    /// Counts a user's changes after a number, up to a limit.
    let count: @Sendable (ReadTransaction, _ userID: String, _ after: Int64, _ limit: Int) throws -> Int

    /// - Parameters:
    ///   - topics: the topics whose changes it reports; `nil` if jobs are among them, whose changes have no topic.
    ///   - goneKinds: further kinds whose `gone` takes items of this source with it.
    ///   - reportedGoneKinds: those of them that this source reports.
    ///   - authors: what it also reports of the authors whom a person follows.
    ///   - isInChanges: whether `GET /v1/changes` has these items.
    ///   - count: counts a user's changes after a number, up to a limit; `nil` reads the changes and counts them.
    ///   - changes: reads a user's changes after a number in order, about as many as the limit; fewer only if there are
    ///     no others.
    package init(
        _ kind: ItemKind, topics: Set<ChangeTopic>?, goneKinds: Set<ItemKind> = [],
        reportedGoneKinds: Set<ItemKind> = [], authors: Authors? = nil, isInChanges: Bool = true,
        count: (
            @Sendable (ReadTransaction, _ userID: String, _ after: Int64, _ limit: Int) throws -> Int
        )? = nil,
        changes:
            @escaping @Sendable (
                ReadTransaction, _ userID: String, _ after: Int64, _ limit: Int
            ) throws -> [Change]
    ) {
        self.kind = kind
        self.topics = topics
        self.goneKinds = goneKinds
        self.reportedGoneKinds = reportedGoneKinds
        self.authors = authors
        self.isInChanges = isInChanges
        self.changes = changes
        self.count = count ?? { try changes($0, $1, $2, $3).count }
    }

    /// Whether it may have changes after one of these topics changed; `nil` stands for all topics.
    func reports(_ changed: Set<ChangeTopic>?) -> Bool {
        guard let topics, let changed else { return true }
        return !topics.isDisjoint(with: changed)
    }
}
