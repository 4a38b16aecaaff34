import CFuzzCounters
import Foundation
import FuzzTesting

/// The code that this process runs, as CALLBOARD_FUZZ_TARGET names it.
private let target: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["CALLBOARD_FUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
        fatalError("CALLBOARD_FUZZ_TARGET is '\(name)'; there are: \(FuzzTarget.allCases.map(\.rawValue))")
    }
    return target
}()

/// What libFuzzer calls with each input. A claim that does not hold ends the process, so that the input is kept.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // SAFETY: libFuzzer gives so many bytes, which are copied.
    let report = target.run(Array(UnsafeBufferPointer(start: data, count: count)))
    if !report.faults.isEmpty { fatalError("claims that do not hold: \(report.faults.joined(separator: "; "))") }
    for feature in report.features { fuzz_counters_note(feature) }
    return 0
}
