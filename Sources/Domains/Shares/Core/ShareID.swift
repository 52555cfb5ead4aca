import Model
import Storage

/// The id of a share.
package typealias ShareID = NumberedID

extension ShareID {
    /// - Parameter row: with `number` and `shared_at`.
    init(row: Row) throws {
        self.init(number: try row["number"], milliseconds: try row["shared_at"])
    }
}
