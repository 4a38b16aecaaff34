// Preloaded, makes fsync and fdatasync take longer by SLOWSYNC_MICROSECONDS: a disk that has to wait for its medium,
// where the one of this machine may answer from a cache. It sleeps, so that the processors are free meanwhile.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <time.h>

static int then_wait(const char *name, int descriptor) {
    int (*real)(int);
    *(void **)&real = dlsym(RTLD_NEXT, name);
    int outcome = real(descriptor), error = errno;
    const char *text = getenv("SLOWSYNC_MICROSECONDS");
    long microseconds = text ? atol(text) : 0;
    struct timespec left = {.tv_sec = microseconds / 1000000, .tv_nsec = microseconds % 1000000 * 1000};
    while (nanosleep(&left, &left) && errno == EINTR) {}
    errno = error;
    return outcome;
}

int fsync(int descriptor) { return then_wait("fsync", descriptor); }

int fdatasync(int descriptor) { return then_wait("fdatasync", descriptor); }
