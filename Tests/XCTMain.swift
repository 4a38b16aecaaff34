import Testing

/// Runs the tests of every target, without a search for those of XCTest, of which there are none.
///
/// SwiftPM takes a file of this name in place of the program that it writes from the compiler's index: the index costs a
/// part of the build's time, and nothing else here reads it (`--disable-index-store` in `Config/common.sh`).
@main
struct TestRun {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
