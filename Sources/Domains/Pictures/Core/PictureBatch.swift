/// Limits of the jobs that fetch pictures.
package enum PictureBatch {
    /// The most pictures in one job. All of them wait for the slowest one.
    package static let capacity = 8
    /// The most jobs at once for one person's pages.
    package static let jobsPerPerson = 4
    /// The most pictures that one person's pages wait for at once.
    package static let picturesPerPerson = 64
}
