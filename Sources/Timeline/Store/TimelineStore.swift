import Storage

/// The SQL of the items of feeds. Read or written in a transaction: `transaction.timeline`.
///
/// It says which items are from whom, and since when. What they contain, and who may see the content, is up to the
/// domain of each kind at the moment of reading; whether a person's items are shown at all is decided by
/// `Facet.profile`.
package struct TimelineStore<Access: SQLReader> {
    let transaction: Access
}

extension SQLReader {
    package var timeline: TimelineStore<Self> { TimelineStore(transaction: self) }
}
