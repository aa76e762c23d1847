/* SPDX-License-Identifier: BSD-3-Clause */
/* Macros for groups that form a cluster and access each other's shared memory (CUDA, compute capability 9.0
 * and later). All groups of a cluster run at the same time.
 *   CLUSTER_SIZE                     groups in a cluster; group GROUP_ID is number GROUP_ID % CLUSTER_SIZE
 *                             of its cluster
 *   CLUSTER_KERNEL              in place of KERNEL; MIN_BLOCKS: groups that a multiprocessor should hold
 *   CLUSTER_BEGIN               after this and CLUSTER_WAIT all groups of the cluster have begun; before,
 *                             their shared memory must not be accessed
 *   CLUSTER_READ CLUSTER_WAIT   two halves of a barrier for all items of the cluster, to be used if nothing
 *                             was written for others: it says only that shared memory has been read. A
 *                             barrier with release semantics waits until all writes are visible to the
 *                             whole device, which took 4 % of a transform of 256 x 256. The fence completes
 *                             the reads, and what others send comes after the barrier. PTX promises this
 *                             order only for a fence of cluster scope, for which the compiler waits for the
 *                             device; that this fence suffices is seen in the machine code (MEMBAR before
 *                             the barrier) and in the tests
 *   CLUSTER_WINDOW(shared, i)   address of the array `shared` of group i, for the next macros
 *   CLUSTER_POST(post)          declares a mailbox (mbarrier) `post` among a kernel's shared arrays
 *   CLUSTER_EXPECT(post, bytes)   one item calls this before CLUSTER_BEGIN: the number of bytes that the
 *                             group will receive
 *   CLUSTER_SEND(w, at, re, im, post)   sends a complex number, its real part to index `at`, and signals
 *                             the mailbox of the same group
 *   CLUSTER_RECEIVE(post)       waits until all expected bytes have arrived; all items call this */
#ifdef __CUDACC__
#define CLUSTER_KERNEL \
    extern "C" __global__ __cluster_dims__(CLUSTER_SIZE, 1, 1) __launch_bounds__(ITEMS, MIN_BLOCKS)
#define CLUSTER_BEGIN asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory")
#define CLUSTER_READ \
    asm volatile("fence.acq_rel.cta;\n\tbarrier.cluster.arrive.relaxed.aligned;" ::: "memory")
#define CLUSTER_WAIT asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory")
#define CLUSTER_WINDOW(shared, i) cluster_window(shared, (UINT)(i))
#define CLUSTER_POST(post) SHARED ALIGNED(16) ULONG post[4]
#define CLUSTER_EXPECT(post, bytes) cluster_expect(post, bytes)
#define CLUSTER_SEND(w, at, re, im, post) cluster_send((w) + (UINT)(at)*REAL_BYTES, re, im, post)
#define CLUSTER_RECEIVE(post) cluster_receive(post)

#ifdef REAL_IS_DOUBLE
#define CLUSTER_TYPE "f64"
#define CLUSTER_REGISTER "d"
#else
#define CLUSTER_TYPE "f32"
#define CLUSTER_REGISTER "f"
#endif

DEVICE UINT cluster_window(const void *shared, const UINT group)
{
    const UINT own = (UINT)__cvta_generic_to_shared(shared);
    UINT other;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(other) : "r"(own), "r"(group));
    return other;
}

DEVICE void cluster_expect(ULONG *post, const UINT bytes)
{
    const UINT at = (UINT)__cvta_generic_to_shared(post);
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at), "r"(bytes) : "memory");
}

DEVICE void cluster_send(const UINT at, const REAL re, const REAL im, const UINT post)
{
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v2." CLUSTER_TYPE
                 " [%0], {%1, %2}, [%3];" ::"r"(at),
                 CLUSTER_REGISTER(re), CLUSTER_REGISTER(im), "r"(post)
                 : "memory");
}

DEVICE void cluster_receive(const ULONG *post)
{
    const UINT at = (UINT)__cvta_generic_to_shared(post);
    UINT done;
    do
        asm volatile("{\n.reg .pred p;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n"
                     "selp.u32 %0, 1, 0, p;\n}"
                     : "=r"(done)
                     : "r"(at)
                     : "memory");
    while (!done);
}
#endif
