/// Whose jobs are nobody's in particular: those that are done for everybody.
package enum SystemUser {
    package static let id = "system"
}
