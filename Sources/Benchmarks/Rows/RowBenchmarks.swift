import Directors
import JSONValues
import ListDiff

/// Measures sections of rows: rows that a variable hides, rows that read one, and changing elements in a row; beside
/// each, the same with fewer rows or in a section of elements.
enum RowBenchmarks {
    /// How many elements the long lists have.
    static let long = 1_000_000
    /// How many rows, and variables, there are where each row reads one.
    static let wide = 10_000

    /// How many times as long as among few elements, or few rows, a change may take.
    static let restFactor = 1.5
    /// How many times as long as in a section a change in a row may take.
    static let sectionFactor = 1.5

    /// Runs all of them and prints a result line for each; it takes about a minute.
    static func run() throws {
        try HiddenRowBenchmark.run()
        try VariableBenchmark.run()
        try RowElementBenchmark.run()
        try RowMemoryProbe.report()
    }
}
