// Stands between a server and its disk (LD_PRELOAD): fails what it does to one folder, on command, and keeps a record
// from which a loss of power can be acted out.
//
//   DISK_FOLDER    the folder; what happens to files elsewhere is left alone
//   DISK_CONTROL   a file of eight 32-bit numbers that is mapped here and in the test: `struct control`
//   DISK_RECORD    where changes are recorded, if at all: `struct entry`, then the path, the old and the new bytes
//
// A loss of power keeps what was synced and any part of what was not, in any order; SIGKILL keeps everything that was
// written. So the test kills the server, takes back the changes since each file's last sync, and does some of them
// again. Changes through a mapping (SQLite's -shm, which it makes anew) are not seen here, nor those to folders.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum kind { writes = 1, syncs = 2, sizes = 4 };

struct control {
    int32_t error;   // the errno that calls fail with; 0: nothing fails
    int32_t kinds;   // which calls fail: `enum kind`, added up
    int32_t skip;    // how many of them succeed first
    int32_t partial; // a write that is to fail writes a half and says so; the next one fails
    int32_t failed;  // how many have failed
    int32_t passed;  // how many have not
    int32_t unused[2];
};

struct entry {
    uint32_t kind, path_length;
    int64_t offset, old_size, old_length, new_length;
};

static struct control *control;
static int record = -1;
static char folder[4096];
static size_t folder_length;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static ssize_t (*next_write)(int, const void *, size_t);
static ssize_t (*next_pwrite)(int, const void *, size_t, off_t);
static int (*next_fsync)(int);
static int (*next_fdatasync)(int);
static int (*next_ftruncate)(int, off_t);
static int (*next_fallocate)(int, int, off_t, off_t);
static int (*next_posix_fallocate)(int, off_t, off_t);

__attribute__((constructor)) static void begin(void) {
    next_write = dlsym(RTLD_NEXT, "write");
    next_pwrite = dlsym(RTLD_NEXT, "pwrite");
    next_fsync = dlsym(RTLD_NEXT, "fsync");
    next_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
    next_ftruncate = dlsym(RTLD_NEXT, "ftruncate");
    next_fallocate = dlsym(RTLD_NEXT, "fallocate");
    next_posix_fallocate = dlsym(RTLD_NEXT, "posix_fallocate");
    const char *name = getenv("DISK_FOLDER"), *shared = getenv("DISK_CONTROL"), *changes = getenv("DISK_RECORD");
    if (name && realpath(name, folder)) folder_length = strlen(folder);
    if (shared) {
        int descriptor = open(shared, O_RDWR | O_CLOEXEC);
        void *mapped = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
        if (mapped != MAP_FAILED) control = mapped;
        close(descriptor);
    }
    if (changes) record = open(changes, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
}

// The path of a descriptor in the folder; false for all others, sockets among them.
static bool is_ours(int descriptor, char path[4096]) {
    if (!folder_length) return false;
    int before = errno;
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, 4095);
    errno = before;
    if (length <= (ssize_t)folder_length) return false;
    path[length] = 0;
    return !memcmp(path, folder, folder_length) && path[folder_length] == '/';
}

// Whether a call is to fail now; errno is set then.
static bool fails(enum kind kind) {
    if (!control) return false;
    int32_t error = __atomic_load_n(&control->error, __ATOMIC_SEQ_CST);
    if (!error || !(control->kinds & kind) || __atomic_fetch_sub(&control->skip, 1, __ATOMIC_SEQ_CST) > 0) {
        __atomic_fetch_add(&control->passed, 1, __ATOMIC_SEQ_CST);
        return false;
    }
    control->skip = 0;
    __atomic_fetch_add(&control->failed, 1, __ATOMIC_SEQ_CST);
    errno = error;
    return true;
}

static void put(struct entry entry, const char *path, const void *old, const void *new) {
    size_t size = sizeof entry + entry.path_length + (size_t)entry.old_length + (size_t)entry.new_length;
    char *buffer = malloc(size), *end = buffer;
    if (!buffer) abort();
    end = mempcpy(end, &entry, sizeof entry);
    end = mempcpy(end, path, entry.path_length);
    if (entry.old_length) end = mempcpy(end, old, (size_t)entry.old_length);
    if (entry.new_length) mempcpy(end, new, (size_t)entry.new_length);
    // One append for each entry: a kill leaves it out or in.
    if (next_write(record, buffer, size) != (ssize_t)size) abort();
    free(buffer);
}

// Notes what stands where a change is about to be made.
static void note(enum kind kind, int descriptor, const char *path, off_t offset, const void *new, size_t new_length) {
    struct stat status;
    if (fstat(descriptor, &status)) return;
    off_t old_end = kind == sizes ? status.st_size : offset + (off_t)new_length;
    if (old_end > status.st_size) old_end = status.st_size;
    size_t old_length = old_end > offset ? (size_t)(old_end - offset) : 0;
    char *old = malloc(old_length + 1);
    if (!old) abort();
    // The descriptor may be for writing alone.
    int reader = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = reader < 0 ? 0 : pread(reader, old, old_length, offset);
    if (reader >= 0) close(reader);
    struct entry entry = {kind, (uint32_t)strlen(path), offset, status.st_size, got < 0 ? 0 : got, (int64_t)new_length};
    put(entry, path, old, new);
    free(old);
}

static ssize_t change(int descriptor, const void *bytes, size_t count, off_t offset, bool is_placed) {
    char path[4096];
    if (!is_ours(descriptor, path))
        return is_placed ? next_pwrite(descriptor, bytes, count, offset) : next_write(descriptor, bytes, count);
    if (fails(writes)) {
        if (!control->partial || count < 2) return -1;
        count /= 2;
    }
    pthread_mutex_lock(&lock);
    if (record >= 0) {
        off_t place = is_placed ? offset : lseek(descriptor, 0, SEEK_CUR);
        if (fcntl(descriptor, F_GETFL) & O_APPEND) place = lseek(descriptor, 0, SEEK_END);
        note(writes, descriptor, path, place, bytes, count);
    }
    ssize_t result = is_placed ? next_pwrite(descriptor, bytes, count, offset) : next_write(descriptor, bytes, count);
    int error = errno;
    if (control) control->partial = 0;
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}

static int synchronise(int descriptor, int (*next)(int)) {
    char path[4096];
    if (!is_ours(descriptor, path)) return next(descriptor);
    if (fails(syncs)) return -1;
    if (record < 0) return next(descriptor);
    // Under the lock, so that what is written meanwhile is not taken for synced.
    pthread_mutex_lock(&lock);
    int result = next(descriptor), error = errno;
    struct entry entry = {syncs, (uint32_t)strlen(path), 0, 0, 0, 0};
    if (!result) put(entry, path, NULL, NULL);
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}

ssize_t write(int descriptor, const void *bytes, size_t count) { return change(descriptor, bytes, count, 0, false); }
ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    return change(descriptor, bytes, count, offset, true);
}
ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off_t offset) {
    return change(descriptor, bytes, count, offset, true);
}

int fsync(int descriptor) { return synchronise(descriptor, next_fsync); }
int fdatasync(int descriptor) { return synchronise(descriptor, next_fdatasync); }

int ftruncate(int descriptor, off_t size) {
    char path[4096];
    if (!is_ours(descriptor, path)) return next_ftruncate(descriptor, size);
    if (fails(sizes)) return -1;
    pthread_mutex_lock(&lock);
    if (record >= 0) note(sizes, descriptor, path, size, NULL, 0);
    int result = next_ftruncate(descriptor, size), error = errno;
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}
int ftruncate64(int descriptor, off_t size) { return ftruncate(descriptor, size); }

int fallocate(int descriptor, int mode, off_t offset, off_t length) {
    char path[4096];
    if (is_ours(descriptor, path) && fails(sizes)) return -1;
    return next_fallocate(descriptor, mode, offset, length);
}
int fallocate64(int descriptor, int mode, off_t offset, off_t length) {
    return fallocate(descriptor, mode, offset, length);
}
int posix_fallocate(int descriptor, off_t offset, off_t length) {
    char path[4096];
    int before = errno;
    if (is_ours(descriptor, path) && fails(sizes)) {
        int error = errno;
        errno = before;
        return error;
    }
    return next_posix_fallocate(descriptor, offset, length);
}
int posix_fallocate64(int descriptor, off_t offset, off_t length) {
    return posix_fallocate(descriptor, offset, length);
}
