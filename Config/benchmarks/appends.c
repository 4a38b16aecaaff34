// What the database can do: the yardstick of requests that are stored in PostgreSQL.
//
//   appends URL LIVES RECORDS BYTES SECONDS < STATEMENT
//
// A bare loop of one statement through libpq: the one that the server under measurement runs, which its caller reads from
// the database and gives to the standard input. Each run appends RECORDS records of BYTES bytes to LIVES lives of its own.
// Prints how many records a second there were.

#include <endian.h>
#include <libpq-fe.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { parameters = 11, int8_type = 20, bytea_type = 17, first_life = 1000000000 };

static _Noreturn void stop(const char *what, const char *why) {
    fprintf(stderr, "appends: %s: %s\n", what, why);
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void execute(PGconn *connection, const char *text) {
    PGresult *result = PQexec(connection, text);
    if (PQresultStatus(result) != PGRES_COMMAND_OK && PQresultStatus(result) != PGRES_TUPLES_OK)
        stop(text, PQresultErrorMessage(result));
    PQclear(result);
}

// One parameter in binary form.
struct parameter {
    char *bytes;
    int size;
};

static void put32(struct parameter *parameter, int32_t number) {
    number = htobe32(number);
    memcpy(parameter->bytes + parameter->size, &number, 4);
    parameter->size += 4;
}

static void begin_array(struct parameter *parameter, int count, int type) {
    parameter->size = 0;
    put32(parameter, 1);
    put32(parameter, 0);
    put32(parameter, type);
    put32(parameter, count);
    put32(parameter, 1);
}

static void put(struct parameter *parameter, const void *bytes, int count) {
    put32(parameter, count);
    memcpy(parameter->bytes + parameter->size, bytes, count);
    parameter->size += count;
}

static void put64(struct parameter *parameter, int64_t number) {
    number = htobe64(number);
    put(parameter, &number, 8);
}

int main(int argc, char **argv) {
    if (argc != 6) stop("usage", "appends URL LIVES RECORDS BYTES SECONDS < STATEMENT");
    int lives = atoi(argv[2]), records = atoi(argv[3]), bytes = atoi(argv[4]);
    double seconds = atof(argv[5]);
    static char statement[16384];
    statement[fread(statement, 1, sizeof statement - 1, stdin)] = 0;

    PGconn *connection = PQconnectdb(argv[1]);
    if (PQstatus(connection) != CONNECTION_OK) stop("the database", PQerrorMessage(connection));
    // As the server's own session.
    execute(connection, "SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_mergejoin = off;"
                        " SET synchronous_commit = on");
    execute(connection, "DELETE FROM callboard.records WHERE life >= 1000000000;"
                        " DELETE FROM callboard.lives WHERE life >= 1000000000");
    char text[512];
    snprintf(text, sizeof text, "INSERT INTO callboard.lives SELECT %d + i, 'bare-' || i, 'e', 0, 1, 0, false, 0"
                                " FROM generate_series(0, %d) AS i", first_life, lives - 1);
    execute(connection, text);
    PGresult *prepared = PQprepare(connection, "append", statement, 0, NULL);
    if (PQresultStatus(prepared) != PGRES_COMMAND_OK) stop("the statement", PQresultErrorMessage(prepared));

    struct parameter given[parameters];
    for (int index = 0; index < parameters; index++) given[index].bytes = malloc(64 + (size_t)records * (bytes + 16));
    char *payload = malloc(bytes);
    memset(payload, 'x', bytes);
    int64_t *heads = calloc(lives, sizeof *heads), *before = calloc(lives, sizeof *before);
    const char *values[parameters];
    int lengths[parameters], formats[parameters];
    int64_t stored = 0;
    double start = now();
    for (int64_t unit = 1; now() - start < seconds; unit++) {
        int64_t number = htobe64(unit);
        memcpy(given[0].bytes, &number, 8);
        given[0].size = 8;
        for (int index = 1; index < 6; index++) begin_array(&given[index], lives, int8_type);
        for (int index = 6; index < parameters; index++)
            begin_array(&given[index], records, index == 9 ? bytea_type : int8_type);
        memcpy(before, heads, lives * sizeof *heads);
        for (int record = 0; record < records; record++) {
            int life = record % lives;
            payload[unit % bytes]++;
            put64(&given[6], first_life + life);
            put64(&given[7], ++heads[life]);
            put64(&given[8], 2);
            put(&given[9], payload, bytes);
            put64(&given[10], unit);
        }
        for (int life = 0; life < lives; life++) {
            put64(&given[1], first_life + life);
            put64(&given[2], 1);
            put64(&given[3], before[life]);
            put64(&given[4], heads[life]);
            put64(&given[5], 0);
        }
        for (int index = 0; index < parameters; index++) {
            values[index] = given[index].bytes;
            lengths[index] = given[index].size;
            formats[index] = 1;
        }
        PGresult *result = PQexecPrepared(connection, "append", parameters, values, lengths, formats, 1);
        if (PQntuples(result) != lives) stop("a run of the statement", PQresultErrorMessage(result));
        PQclear(result);
        stored += records;
    }
    printf("%.1f\n", stored / (now() - start));
    PQfinish(connection);
}
