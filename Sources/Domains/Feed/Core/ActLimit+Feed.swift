import Visibility

extension ActLimit {
    /// Hiding items. Showing one again gives nothing back.
    static let hiddenItems = ActLimit(
        "hiddenItemsPerDay", count: 500, per: .seconds(86_400), act: "hide", counted: "items",
        again: "hide more items")
}
