// What glibc's allocator says of itself (`mallinfo2`), and giving back what it keeps free (`malloc_trim`); neither is
// visible through Foundation or Glibc.
#include <malloc.h>
