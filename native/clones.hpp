// Functions compiled for several instruction sets, of which the widest that the processor has is chosen when the library
// loads. They all do the same operations in the same order, lane by lane, so the bits are the same.
#pragma once

#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(COVEY_NO_CLONES)
#define COVEY_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define COVEY_CLONES
#endif
// All that such a function calls is taken in, so that it is compiled for its instruction set, too.
#define COVEY_FLAT __attribute__((flatten))
