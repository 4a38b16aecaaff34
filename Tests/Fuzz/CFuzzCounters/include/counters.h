// Counters that libFuzzer takes for coverage, for what happens in libraries that are not instrumented.
#ifndef FUZZ_COUNTERS_H
#define FUZZ_COUNTERS_H

#include <stdint.h>

/// Takes note that the input that runs has brought a feature.
void fuzz_counters_note(uint16_t feature);

#endif
