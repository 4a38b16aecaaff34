/// The program `callboard-benchmarks`: the measurements that need no server.
///
/// Those of a running server against nginx and bare sockets are in `Config/bench.d`; `Config/bench` runs both kinds.
/// Build it for release: `swift run -c release callboard-benchmarks`.
@main
enum BenchmarksMain {
    /// Runs every benchmark and prints a line for each ratio.
    static func main() {
        DiffBenchmarks.run()
    }
}
