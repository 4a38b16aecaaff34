#include "counters.h"

// libFuzzer reads this section by its name, and sets it to 0 before each input.
__attribute__((section("__libfuzzer_extra_counters"))) static uint8_t counters[1 << 16];

void fuzz_counters_note(uint16_t feature) { counters[feature] = 1; }
