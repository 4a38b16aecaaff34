// What the disk can do: the yardsticks of durable requests.
//
//   commits insert FOLDER BYTES SECONDS   a bare loop of SQLite commits, each one prepared insert of BYTES
//   commits sync FOLDER BYTES SECONDS     a bare loop of write() and fdatasync() at the end of a file
//
// Prints how many a second there were. The files are made anew in FOLDER and are left to the caller.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// Commits that are not counted, unless they take longer than what is: the write-ahead log grows until its first
// checkpoint, at SQLite's default of a thousand pages, and is written over from then on, which is quicker.
enum { warm_up = 2000 };

static _Noreturn void stop(const char *what, const char *why) {
    fprintf(stderr, "commits: %s: %s\n", what, why);
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void execute(sqlite3 *database, const char *text) {
    if (sqlite3_exec(database, text, NULL, NULL, NULL) != SQLITE_OK) stop(text, sqlite3_errmsg(database));
}

// The table and the pragmas are those of Callboard's log, so that both write the same pages.
static double insert(const char *folder, int bytes, double seconds) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/commits.db", folder);
    unlink(path);
    sqlite3 *database;
    if (sqlite3_open(path, &database) != SQLITE_OK) stop(path, sqlite3_errmsg(database));
    execute(database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    execute(database, "CREATE TABLE records (sequence INTEGER PRIMARY KEY, life INTEGER NOT NULL,"
                      " number INTEGER NOT NULL, step INTEGER NOT NULL, payload BLOB NOT NULL,"
                      " checksum INTEGER NOT NULL) STRICT");
    sqlite3_stmt *statement;
    const char *text = "INSERT INTO records VALUES (NULL, 1, ?1, 2, ?2, ?3)";
    if (sqlite3_prepare_v2(database, text, -1, &statement, NULL) != SQLITE_OK) stop(text, sqlite3_errmsg(database));

    char *payload = malloc(bytes);
    memset(payload, 'x', bytes);
    double begin = now();
    int64_t count = -warm_up;
    for (int64_t number = 1; count < 0 || now() - begin < seconds; number++) {
        payload[number % bytes]++;
        sqlite3_bind_int64(statement, 1, number);
        sqlite3_bind_blob(statement, 2, payload, bytes, SQLITE_STATIC);
        sqlite3_bind_int64(statement, 3, number * 0x9E3779B97F4A7C15);
        if (sqlite3_step(statement) != SQLITE_DONE) stop(text, sqlite3_errmsg(database));
        sqlite3_reset(statement);
        if (++count == 0 || (count < 0 && now() - begin > seconds)) {
            count = 0;
            begin = now();
        }
    }
    double rate = count / (now() - begin);
    sqlite3_finalize(statement);
    sqlite3_close(database);
    free(payload);
    return rate;
}

static double synchronize(const char *folder, int bytes, double seconds) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/commits.bytes", folder);
    int descriptor = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
    if (descriptor < 0) stop(path, strerror(errno));
    char *payload = calloc(1, bytes);
    double begin = now();
    int64_t count = 0;
    while (now() - begin < seconds) {
        if (write(descriptor, payload, bytes) != bytes) stop("write", strerror(errno));
        if (fdatasync(descriptor)) stop("fdatasync", strerror(errno));
        count++;
    }
    double rate = count / (now() - begin);
    close(descriptor);
    free(payload);
    return rate;
}

int main(int argc, char **argv) {
    if (argc == 5 && atoi(argv[3]) > 0 && atof(argv[4]) > 0) {
        int bytes = atoi(argv[3]);
        double seconds = atof(argv[4]);
        if (strcmp(argv[1], "insert") == 0) return printf("%.1f\n", insert(argv[2], bytes, seconds)) < 0;
        if (strcmp(argv[1], "sync") == 0) return printf("%.1f\n", synchronize(argv[2], bytes, seconds)) < 0;
    }
    fprintf(stderr, "usage: commits insert|sync FOLDER BYTES SECONDS\n");
    return 64;
}
