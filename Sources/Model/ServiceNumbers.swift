/// The numbers that are believed of services: no list is longer, and no song plays longer in milliseconds. Their sums, and
/// their products with sizes of pages, fit.
package let serviceNumbers = 0...1_000_000_000
