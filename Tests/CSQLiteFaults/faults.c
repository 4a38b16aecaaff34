#include "CSQLiteFaults.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#define DISKS 256

/// A disk: an SQLite VFS with what it is to do wrong.
struct disk {
    sqlite3_vfs vfs;
    sqlite3_vfs *real;
    char name[32];
    int after[CALLBOARD_FAULT_COUNT];
    int failures[CALLBOARD_FAULT_COUNT];
    int codes[CALLBOARD_FAULT_COUNT];
    int calls[CALLBOARD_FAULT_COUNT];
    int held;
    int holds;
};

/// An open file; the system's own follows it in memory.
struct file {
    sqlite3_file base;
    struct disk *disk;
    sqlite3_file *real;
};

static struct disk disks[DISKS];
static int disk_count = 0;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t released = PTHREAD_COND_INITIALIZER;

/// Counts a call and says whether it fails, and how.
static int next_fault(struct disk *disk, enum callboard_fault fault) {
    int code = SQLITE_OK;
    pthread_mutex_lock(&mutex);
    disk->calls[fault]++;
    if (disk->after[fault] > 0) {
        disk->after[fault]--;
    } else if (disk->failures[fault] > 0) {
        disk->failures[fault]--;
        code = disk->codes[fault];
    }
    pthread_mutex_unlock(&mutex);
    return code;
}

#define REAL(file) (((struct file *)(file))->real)
#define DISK(file) (((struct file *)(file))->disk)

static int file_close(sqlite3_file *file) { return REAL(file)->pMethods->xClose(REAL(file)); }

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    return REAL(file)->pMethods->xRead(REAL(file), bytes, count, offset);
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    int code = next_fault(DISK(file), CALLBOARD_FAULT_WRITE);
    return code != SQLITE_OK ? code : REAL(file)->pMethods->xWrite(REAL(file), bytes, count, offset);
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
    return REAL(file)->pMethods->xTruncate(REAL(file), size);
}

static int file_sync(sqlite3_file *file, int flags) {
    pthread_mutex_lock(&mutex);
    DISK(file)->held++;
    while (DISK(file)->holds) pthread_cond_wait(&released, &mutex);
    DISK(file)->held--;
    pthread_mutex_unlock(&mutex);
    int code = next_fault(DISK(file), CALLBOARD_FAULT_SYNC);
    int real = REAL(file)->pMethods->xSync(REAL(file), flags);
    return code != SQLITE_OK ? code : real;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
    return REAL(file)->pMethods->xFileSize(REAL(file), size);
}

static int file_lock(sqlite3_file *file, int lock) { return REAL(file)->pMethods->xLock(REAL(file), lock); }

static int file_unlock(sqlite3_file *file, int lock) { return REAL(file)->pMethods->xUnlock(REAL(file), lock); }

static int file_is_reserved(sqlite3_file *file, int *result) {
    return REAL(file)->pMethods->xCheckReservedLock(REAL(file), result);
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
    return REAL(file)->pMethods->xFileControl(REAL(file), operation, argument);
}

static int file_sector(sqlite3_file *file) { return REAL(file)->pMethods->xSectorSize(REAL(file)); }

static int file_traits(sqlite3_file *file) { return REAL(file)->pMethods->xDeviceCharacteristics(REAL(file)); }

static int file_shm_map(sqlite3_file *file, int region, int size, int extend, void volatile **result) {
    return REAL(file)->pMethods->xShmMap(REAL(file), region, size, extend, result);
}

static int file_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
    return REAL(file)->pMethods->xShmLock(REAL(file), offset, count, flags);
}

static void file_shm_barrier(sqlite3_file *file) { REAL(file)->pMethods->xShmBarrier(REAL(file)); }

static int file_shm_unmap(sqlite3_file *file, int deletes) {
    return REAL(file)->pMethods->xShmUnmap(REAL(file), deletes);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_is_reserved,
    .xFileControl = file_control,
    .xSectorSize = file_sector,
    .xDeviceCharacteristics = file_traits,
    .xShmMap = file_shm_map,
    .xShmLock = file_shm_lock,
    .xShmBarrier = file_shm_barrier,
    .xShmUnmap = file_shm_unmap,
};

static int disk_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *opened, int flags, int *out_flags) {
    struct disk *disk = vfs->pAppData;
    struct file *file = (struct file *)opened;
    memset(file, 0, sizeof *file);
    int code = next_fault(disk, CALLBOARD_FAULT_OPEN);
    if (code != SQLITE_OK) return code;
    file->disk = disk;
    file->real = (sqlite3_file *)(file + 1);
    code = disk->real->xOpen(disk->real, name, file->real, flags, out_flags);
    if (code == SQLITE_OK) file->base.pMethods = &methods;
    return code;
}

int callboard_faults_make(void) {
    pthread_mutex_lock(&mutex);
    int number = disk_count < DISKS ? disk_count++ : -1;
    pthread_mutex_unlock(&mutex);
    if (number < 0) return -1;
    struct disk *disk = &disks[number];
    disk->real = sqlite3_vfs_find(NULL);
    if (disk->real == NULL) return -1;
    snprintf(disk->name, sizeof disk->name, "callboard-faults-%d", number);
    // Everything but opening is the system's.
    disk->vfs = *disk->real;
    disk->vfs.pNext = NULL;
    disk->vfs.zName = disk->name;
    disk->vfs.szOsFile = (int)sizeof(struct file) + disk->real->szOsFile;
    disk->vfs.pAppData = disk;
    disk->vfs.xOpen = disk_open;
    return sqlite3_vfs_register(&disk->vfs, 0) == SQLITE_OK ? number : -1;
}

void callboard_faults_fail(int disk, enum callboard_fault fault, int after, int count, int code) {
    pthread_mutex_lock(&mutex);
    disks[disk].after[fault] = after;
    disks[disk].failures[fault] = count;
    disks[disk].codes[fault] = code;
    pthread_mutex_unlock(&mutex);
}

int callboard_faults_calls(int disk, enum callboard_fault fault) {
    pthread_mutex_lock(&mutex);
    int calls = disks[disk].calls[fault];
    pthread_mutex_unlock(&mutex);
    return calls;
}

void callboard_faults_hold_syncs(int disk, int hold) {
    pthread_mutex_lock(&mutex);
    disks[disk].holds = hold;
    if (!hold) pthread_cond_broadcast(&released);
    pthread_mutex_unlock(&mutex);
}

int callboard_faults_held_syncs(int disk) {
    pthread_mutex_lock(&mutex);
    int held = disks[disk].held;
    pthread_mutex_unlock(&mutex);
    return held;
}
