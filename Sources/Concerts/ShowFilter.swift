/// Which of a search's shows somebody asks for.
package struct ShowFilter: Hashable, Sendable {
    /// Also shows that do not take place.
    package var includesCancelled: Bool
    /// Shows elsewhere, and those whose city is not known, are left out; `nil` keeps all.
    package var city: HomeCity?

    package init(includesCancelled: Bool = false, city: HomeCity? = nil) {
        self.includesCancelled = includesCancelled
        self.city = city
    }
}
