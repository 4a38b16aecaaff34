// Counts what a program allocates and, where it is in Swift, retains: a shared object that stands before libc.
//
// The file that COUNTS_FILE names has three counters of 64 bits: allocations, retains, releases. All threads add to them.
// Retains are counted on x86-64, in a program that has Swift's runtime inside and its symbols, and only where they change a
// count in memory: neither those of nothing nor those of constants.

#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static uint64_t unwatched[3];
// The functions below read these by their names.
uint64_t *counts = unwatched;
void *retain_function, *retain_n_function, *release_function;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static void count(void) { __atomic_fetch_add(&counts[0], 1, __ATOMIC_RELAXED); }

void *malloc(size_t size) {
    count();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count();
    return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
    count();
    return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
    count();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    count();
    return (*block = __libc_memalign(alignment, size)) ? 0 : ENOMEM;
}

#ifdef __x86_64__
// Swift's runtime calls these with every register in use: they change none.
#define COUNTING(name, place)                                                                                             \
    __asm__(".text\n" #name ":\n"                                                                                         \
            "push %rax\n test %rdi, %rdi\n jle 1f\n cmpl $-1, 8(%rdi)\n je 1f\n"                                          \
            "mov counts@GOTPCREL(%rip), %rax\n mov (%rax), %rax\n lock incq " #place "(%rax)\n 1:\n"                      \
            "mov " #name "_function@GOTPCREL(%rip), %rax\n mov (%rax), %rax\n xchg (%rsp), %rax\n ret\n")
COUNTING(retain, 8);
COUNTING(retain_n, 8);
COUNTING(release, 16);
extern char retain[], retain_n[], release[];

static uintptr_t base;

static int note_base(struct dl_phdr_info *info, size_t size, void *unused) {
    (void)size, (void)unused;
    base = info->dlpi_addr;
    return 1; // The program itself is the first.
}

// The address of a symbol in the table of a program's file; NULL where it has none.
static void *address_of(const char *name, const char *file) {
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)file;
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(file + head->e_shoff);
    for (int each = 0; each < head->e_shnum; each++) {
        if (sections[each].sh_type != SHT_SYMTAB) continue;
        const Elf64_Sym *symbols = (const Elf64_Sym *)(file + sections[each].sh_offset);
        const char *names = file + sections[sections[each].sh_link].sh_offset;
        for (size_t at = 0; at < sections[each].sh_size / sizeof *symbols; at++)
            if (!strcmp(names + symbols[at].st_name, name)) return (void *)(base + symbols[at].st_value);
    }
    return NULL;
}

static void watch_retains(void) {
    struct stat status;
    int program = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (program < 0 || fstat(program, &status)) return;
    char *file = mmap(NULL, status.st_size, PROT_READ, MAP_PRIVATE, program, 0);
    close(program);
    if (file == MAP_FAILED) return;
    dl_iterate_phdr(note_base, NULL);
    void **retains = address_of("_swift_retain", file), **several = address_of("_swift_retain_n", file);
    void **releases = address_of("_swift_release", file);
    // What swift_retain calls while it is watched; its own takes some references that are not counted for objects.
    void **adapter = address_of("_ZL21_swift_retain_adapter", file);
    char *isWatched = address_of("_swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly", file);
    munmap(file, status.st_size);
    if (!retains || !several || !releases || !adapter || !isWatched) return;
    retain_function = *retains, retain_n_function = *several, release_function = *releases;
    *adapter = retain, *several = retain_n, *releases = release;
    *isWatched = 1;
}
#else
static void watch_retains(void) {}
#endif

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("COUNTS_FILE");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *shared = mmap(NULL, sizeof unwatched, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (shared == MAP_FAILED) return;
    counts = shared;
    watch_retains();
}
