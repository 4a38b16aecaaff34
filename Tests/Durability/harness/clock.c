// Gives a process a wall clock of its own (LD_PRELOAD): ahead of or behind the machine's, by an offset that may change.
//
//   CLOCK_CONTROL   a file of one 64-bit number, the nanoseconds that are added; it is mapped here and in the test
//
// Only reading the wall clock is changed. Clocks that count from the machine's start, and waits for a time, are the machine's, as
// they are where an administrator sets the clock: faketime's library changes these, too, and keeps threads from waking.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const int64_t second = 1000000000;
static const volatile int64_t *offset;
static int (*next_clock_gettime)(clockid_t, struct timespec *);

__attribute__((constructor)) static void begin(void) {
    next_clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
    const char *path = getenv("CLOCK_CONTROL");
    int file = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    void *mapped = mmap(NULL, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED) offset = mapped;
    close(file);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    if (next_clock_gettime == NULL) next_clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
    int result = next_clock_gettime(clock, time);
    if (result != 0 || offset == NULL || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)) return result;
    int64_t moved = time->tv_sec * second + time->tv_nsec + *offset;
    time->tv_sec = moved / second;
    time->tv_nsec = moved % second;
    return 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    (void)zone;
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *place) {
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
    if (place != NULL) *place = now.tv_sec;
    return now.tv_sec;
}
