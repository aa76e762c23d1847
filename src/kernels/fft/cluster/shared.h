/* SPDX-License-Identifier: BSD-3-Clause */
/* Macros for groups that form a cluster and reach each other's shared memory: CUDA from capability 9.0 on.
 * All groups of a cluster run at once.
 *   CLUSTER_SIZE                     how many they are; group GROUP_ID is number GROUP_ID % CLUSTER_SIZE of
 *                               its cluster
 *   CLUSTER_KERNEL              instead of KERNEL; MIN_BLOCKS: groups that a multiprocessor should hold
 *   CLUSTER_BEGIN               after this and CLUSTER_WAIT all groups of the cluster have begun: before that
 *                               none is to be reached
 *   CLUSTER_READ CLUSTER_WAIT   two halves of a barrier for all items of the cluster where nothing was
 *                               written for others: they only learn that what was in shared memory has been
 *                               read. To wait for all that was written until the whole device sees it, as a
 *                               barrier that releases does, took 4 % of a transform of 256 x 256. A read is
 *                               done when the fence is, and what others send comes after the barrier; PTX
 *                               itself promises that order for a fence of the cluster's scope alone, for
 *                               which the compiler waits for the device: that this one does is seen from the
 *                               machine code (MEMBAR before the barrier) and the tests
 *   CLUSTER_WINDOW(shared, i)   how the next macros know the array `shared` of group i
 *   CLUSTER_POST(post)          a mailbox `post` among a kernel's shared arrays, for which
 *   CLUSTER_EXPECT(post, bytes)   one item says, before CLUSTER_BEGIN, what the others will send the group
 *   CLUSTER_SEND(w, at, re, im, post)   a complex number there, its real part at index `at`, for the mailbox
 *                               of the same group
 *   CLUSTER_RECEIVE(post)       all that was expected has come; all items ask */
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
