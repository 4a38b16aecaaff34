// What Linux offers and neither Foundation nor Glibc shows to Swift: epoll, eventfd, accept4, and the values of
// constants that are C enumerations or casts. Only declarations and inline functions, so nothing is to be linked.
#ifndef CLINUX_H
#define CLINUX_H

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/un.h>

// Declared only under _GNU_SOURCE, which the importer of a Swift compiler need not define.
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
extern int pthread_setname_np(pthread_t thread, const char *name);

enum {
    CLINUX_EPOLLIN = EPOLLIN,
    CLINUX_EPOLLOUT = EPOLLOUT,
    CLINUX_EPOLLERR = EPOLLERR,
    CLINUX_EPOLLHUP = EPOLLHUP,
    CLINUX_EPOLLRDHUP = EPOLLRDHUP,
};

enum {
    CLINUX_MSG_NOSIGNAL = MSG_NOSIGNAL,
    CLINUX_SOCK_STREAM = SOCK_STREAM,
    CLINUX_IPPROTO_TCP = IPPROTO_TCP,
    CLINUX_IPPROTO_IPV6 = IPPROTO_IPV6,
    CLINUX_TCP_NODELAY = TCP_NODELAY,
    CLINUX_SHUT_WR = SHUT_WR,
};

/// What an epoll set reports: the ready events and the 64 bits that were given when the descriptor was added.
/// The kernel's own structure is packed on x86-64 and holds a union; neither is pleasant from Swift.
typedef struct {
    uint32_t events;
    uint64_t data;
} clinux_ready;

static inline int clinux_epoll_create(void) {
    return epoll_create1(EPOLL_CLOEXEC);
}

static inline int clinux_epoll_add(int set, int descriptor, uint32_t events, int edge, uint64_t data) {
    struct epoll_event event;
    event.events = events | (edge ? (uint32_t)EPOLLET : 0u);
    event.data.u64 = data;
    return epoll_ctl(set, EPOLL_CTL_ADD, descriptor, &event);
}

static inline int clinux_epoll_modify(int set, int descriptor, uint32_t events, int edge, uint64_t data) {
    struct epoll_event event;
    event.events = events | (edge ? (uint32_t)EPOLLET : 0u);
    event.data.u64 = data;
    return epoll_ctl(set, EPOLL_CTL_MOD, descriptor, &event);
}

static inline int clinux_epoll_remove(int set, int descriptor) {
    struct epoll_event event = {0};
    return epoll_ctl(set, EPOLL_CTL_DEL, descriptor, &event);
}

/// The bytes that one event takes in the buffer of `clinux_epoll_wait`.
static inline int clinux_epoll_event_size(void) {
    return (int)sizeof(struct epoll_event);
}

/// `buffer` has room for `count` events, each `clinux_epoll_event_size` bytes, aligned to 8.
static inline int clinux_epoll_wait(int set, void *buffer, int count, int milliseconds) {
    return epoll_wait(set, (struct epoll_event *)buffer, count, milliseconds);
}

static inline clinux_ready clinux_epoll_event_at(const void *buffer, int index) {
    const struct epoll_event *event = (const struct epoll_event *)buffer + index;
    clinux_ready ready = {event->events, event->data.u64};
    return ready;
}

static inline int clinux_eventfd_create(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

static inline int clinux_socket_create(int domain) {
    return socket(domain, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

static inline int clinux_accept(int descriptor, struct sockaddr *address, socklen_t *length) {
    return accept4(descriptor, address, length, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

static inline int clinux_get_descriptor_limit(struct rlimit *limit) {
    return getrlimit(RLIMIT_NOFILE, limit);
}

static inline int clinux_set_descriptor_limit(const struct rlimit *limit) {
    return setrlimit(RLIMIT_NOFILE, limit);
}

#endif
