/// A condition on people that one domain passes to another, whose statement joins it with `AND`.
///
/// It is about one person, so that a statement that ends with the first row finds, or that has few rows, reads few
/// people. As `IN (SELECT …)` it would read all people first, however many there are.
package struct PeopleCondition: Sendable {
    private let condition: @Sendable (_ userID: SQL) -> SQL

    /// - Parameter condition: what holds for the person with an id, as an expression with parentheses around it or none
    ///   needed, such as `EXISTS (…)`. The id is a column with the name of its table.
    package init(_ condition: @escaping @Sendable (_ userID: SQL) -> SQL) {
        self.condition = condition
    }

    package func of(_ userID: SQL) -> SQL { condition(userID) }
}
