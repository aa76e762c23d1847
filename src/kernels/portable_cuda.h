/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions behind portable.h's macros on CUDA: accesses with cache hints, bulk copies between memory and
 * shared memory. PTX ISA 9.7.9. On HIP: a load that passes the caches of a compute unit. */
#ifdef REAL
#ifdef __CUDACC__
#ifdef REAL_IS_DOUBLE
#define PORTABLE_VECTOR double2
#define PORTABLE_TYPE "f64"
#define PORTABLE_REGISTER "d"
#else
#define PORTABLE_VECTOR float2
#define PORTABLE_TYPE "f32"
#define PORTABLE_REGISTER "f"
#endif
DEVICE struct pair pair_streaming(const REAL *x)
{
    const PORTABLE_VECTOR v = __ldcs((const PORTABLE_VECTOR *)x);
    return make_pair(v.x, v.y);
}

#if __CUDA_ARCH__ >= 900
#define FETCH_BEGIN(a) fetch_begin(a)
#define FETCH_EXPECT(a, bytes) fetch_expect(a, bytes)
#define FETCH(y, x, bytes, a) fetch(y, x, bytes, a)
#define FETCHED(a, parity) fetched(a, parity)
#define SEND(y, x, bytes) send(y, x, bytes)
#define SEND_AFTER_STORES asm volatile("fence.proxy.async.shared::cta;" ::: "memory")
#define FETCH_AFTER_STORES asm volatile("fence.proxy.async.shared::cta;" ::: "memory")
#define FIRST_WAIT(n)                                                                            \
    do {                                                                                         \
        if (threadIdx.x < 32)                                                                    \
            asm volatile("bar.sync %0, %1;" ::"n"(n), "n"((ITEMS + 31) / 32 * 32) : "memory");   \
        else                                                                                     \
            asm volatile("bar.arrive %0, %1;" ::"n"(n), "n"((ITEMS + 31) / 32 * 32) : "memory"); \
    } while (0)
#define DRAW(p, n) atomicInc((UINT *)(p), (n)-1)
#define PORTABLE_SHARED(x) ((UINT)__cvta_generic_to_shared(x))
DEVICE void fetch_begin(ULONG *a)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], "
                 "1;\n\tfence.mbarrier_init.release.cluster;\n\tfence.proxy.async.shared::cta;" ::"r"(
                     PORTABLE_SHARED(a))
                 : "memory");
}

DEVICE void fetch_expect(ULONG *a, UINT bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(PORTABLE_SHARED(a)),
                 "r"(bytes)
                 : "memory");
}

DEVICE void fetch(void *y, const void *x, UINT bytes, ULONG *a)
{
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
            PORTABLE_SHARED(y)),
        "l"(x), "r"(bytes), "r"(PORTABLE_SHARED(a))
        : "memory");
}

DEVICE void send(void *y, const void *x, UINT bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], "
                 "%2;\n\tcp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group.read 0;" ::"l"(y),
                 "r"(PORTABLE_SHARED(x)), "r"(bytes)
                 : "memory");
}

DEVICE void fetched(ULONG *a, UINT parity)
{
    UINT there;
    do
        asm volatile("{\n\t.reg .pred there;\n\tmbarrier.try_wait.parity.shared::cta.b64 there, [%1], "
                     "%2;\n\tselp.u32 %0, 1, 0, there;\n\t}"
                     : "=r"(there)
                     : "r"(PORTABLE_SHARED(a)), "r"(parity)
                     : "memory");
    while (!there);
}
#endif

#if __CUDA_ARCH__ >= 800
DEVICE void copy_shared_two(REAL *y, const REAL *x)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((UINT)__cvta_generic_to_shared(y)), "l"(x)
                 : "memory");
}
#endif

DEVICE struct pair pair_fresh(const REAL *x)
{
    const PORTABLE_VECTOR v = __ldcg((const PORTABLE_VECTOR *)x);
    return make_pair(v.x, v.y);
}

/* Loads a pair without allocating it in the L1 cache. */
DEVICE struct pair pair_passing(const REAL *x)
{
#if __CUDA_ARCH__ >= 900
    REAL re, im;
    asm volatile("ld.global.L1::no_allocate.v2." PORTABLE_TYPE " {%0, %1}, [%2];"
                 : "=" PORTABLE_REGISTER(re), "=" PORTABLE_REGISTER(im)
                 : "l"(x)
                 : "memory");
    return make_pair(re, im);
#else
    return LOAD_PAIR(x);
#endif
}

/* Stores a pair. The assembly has no memory clobber, so that the compiler need not reload values after
 * each store: items load what others store only after a BARRIER. */
DEVICE void store_pair_whole(REAL *y, REAL re, REAL im)
{
    asm volatile("st.global.v2." PORTABLE_TYPE " [%0], {%1, %2};" ::"l"(y), PORTABLE_REGISTER(re),
                 PORTABLE_REGISTER(im));
}

DEVICE void store_pair_streaming(REAL *y, REAL re, REAL im)
{
    PORTABLE_VECTOR v;
    v.x = re;
    v.y = im;
    __stcs((PORTABLE_VECTOR *)y, v);
}

DEVICE struct pair table_pair(const REAL *x)
{
    const PORTABLE_VECTOR v = __ldg((const PORTABLE_VECTOR *)x);
    return make_pair(v.x, v.y);
}

#if __CUDA_ARCH__ >= 800
#define PORTABLE_KEPT(space)                                                                           \
    "{\n\t.reg .b64 kept;\n\tcreatepolicy.fractional.L2::evict_last.b64 kept, 1.0;\n\tld.global" space \
    ".L2::cache_hint.v2." PORTABLE_TYPE " {%0, %1}, [%2], kept;\n\t}"
DEVICE struct pair pair_kept(const REAL *x)
{
    REAL re, im;
    asm volatile(PORTABLE_KEPT("")
                 : "=" PORTABLE_REGISTER(re), "=" PORTABLE_REGISTER(im)
                 : "l"(x)
                 : "memory");
    return make_pair(re, im);
}

DEVICE struct pair table_pair_kept(const REAL *x)
{
    REAL re, im;
    asm(PORTABLE_KEPT(".nc") : "=" PORTABLE_REGISTER(re), "=" PORTABLE_REGISTER(im) : "l"(x));
    return make_pair(re, im);
}
#endif

#elif defined(__HIP__)
DEVICE struct pair pair_fresh(const REAL *x)
{
    const volatile REAL *fresh = x;
    return make_pair(fresh[0], fresh[1]);
}
#endif
#endif
