// What JournalPostgres needs of libpq's macros and callbacks, which Swift does not see, as inline functions.
#ifndef CPOSTGRES_H
#define CPOSTGRES_H

#include <postgresql/libpq-fe.h>
#include <stddef.h>

#ifndef LIBPQ_HAS_PIPELINING
#error "Callboard needs libpq 14 or later (pipeline mode): Debian 12, Ubuntu 24.04, or one that came after"
#endif

/// The SQLSTATE of a failed result; NULL where the server has sent none.
static inline const char *cpostgres_sqlstate(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_SQLSTATE);
}

/// The severity of an error, in English whatever the server's language; NULL where the server has sent none.
static inline const char *cpostgres_severity(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
}

/// The server's message, one line without its severity; NULL where there is none.
static inline const char *cpostgres_message(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
}

static inline void cpostgres_count_warning(void *count, const PGresult *notice) {
    const char *severity = cpostgres_severity(notice);
    // "WARNING" and nothing else: a notice that a table is there already changes nothing.
    if (severity != NULL && severity[0] == 'W') *(int *)count += 1;
}

/// Has warnings of the server counted, and nothing printed. The count has to live as long as the connection.
static inline void cpostgres_count_warnings(PGconn *connection, int *count) {
    PQsetNoticeReceiver(connection, cpostgres_count_warning, count);
}

#endif
