// A disk for tests that fails, fills up or stands still when it is told to: an SQLite VFS over the system's own.
#ifndef CALLBOARD_SQLITE_FAULTS_H
#define CALLBOARD_SQLITE_FAULTS_H

/// What can be made to fail.
enum callboard_fault {
    CALLBOARD_FAULT_WRITE = 0,
    CALLBOARD_FAULT_SYNC = 1,
    CALLBOARD_FAULT_OPEN = 2,
    CALLBOARD_FAULT_COUNT = 3
};

/// Registers a disk of its own and returns its number, or -1 where there are too many. Its VFS is named
/// "callboard-faults-<number>". Disks are never unregistered.
int callboard_faults_make(void);

/// Lets `after` calls of a kind succeed and then makes `count` of them fail with an SQLite result code.
///
/// A sync that fails has been done all the same: what was written may be on the disk, and nobody can know.
void callboard_faults_fail(int disk, enum callboard_fault fault, int after, int count, int code);

/// How many calls of a kind there were.
int callboard_faults_calls(int disk, enum callboard_fault fault);

/// Makes syncs wait until they are let go.
void callboard_faults_hold_syncs(int disk, int hold);

/// How many syncs wait.
int callboard_faults_held_syncs(int disk);

#endif
