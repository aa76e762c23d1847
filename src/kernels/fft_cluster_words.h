/* SPDX-License-Identifier: BSD-3-Clause */
/* Words for groups that form a cluster and reach each other's shared memory: CUDA from capability 9.0 on. All groups of a cluster run at once.
 *   CLUSTER                     how many they are; group GROUP_ID is number GROUP_ID % CLUSTER of its cluster
 *   CLUSTER_KERNEL              instead of KERNEL; RESIDENT: groups that a multiprocessor should hold
 *   CLUSTER_ARRIVE CLUSTER_WAIT two halves of a barrier for all items of the cluster
 *   CLUSTER_WINDOW(shared, i)   how the next two know the array `shared` of group i
 *   CLUSTER_STORE(w, at, re, im)   a complex number there, its real part at number `at`
 *   CLUSTER_LOAD(w, at)         and from there, a struct pair */
#ifdef __CUDACC__
#define CLUSTER_KERNEL extern "C" __global__ __cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(ITEMS, RESIDENT)
#define CLUSTER_ARRIVE asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory")
#define CLUSTER_WAIT asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory")
#define CLUSTER_WINDOW(shared, i) cluster_window(shared, (UINT)(i))
#define CLUSTER_STORE(w, at, re, im) cluster_store((w) + (UINT)(at) * REAL_BYTES, re, im)
#define CLUSTER_LOAD(w, at) cluster_load((w) + (UINT)(at) * REAL_BYTES)

DEVICE UINT cluster_window(const REAL *shared, const UINT group)
{
    const UINT own = (UINT)__cvta_generic_to_shared(shared);
    UINT other;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(other) : "r"(own), "r"(group));
    return other;
}

DEVICE void cluster_store(const UINT at, const REAL re, const REAL im)
{
#ifdef REAL_IS_DOUBLE
    asm volatile("st.shared::cluster.v2.f64 [%0], {%1, %2};" ::"r"(at), "d"(re), "d"(im) : "memory");
#else
    asm volatile("st.shared::cluster.v2.f32 [%0], {%1, %2};" ::"r"(at), "f"(re), "f"(im) : "memory");
#endif
}

DEVICE struct pair cluster_load(const UINT at)
{
    REAL re, im;
#ifdef REAL_IS_DOUBLE
    asm volatile("ld.shared::cluster.v2.f64 {%0, %1}, [%2];" : "=d"(re), "=d"(im) : "r"(at) : "memory");
#else
    asm volatile("ld.shared::cluster.v2.f32 {%0, %1}, [%2];" : "=f"(re), "=f"(im) : "r"(at) : "memory");
#endif
    return make_pair(re, im);
}
#endif

#if !CROSS_PULL
/* The first half's shared memory is not read any more once its last stage has its points. */
#define BOX_GOT(s) \
    if (BOX_PASS == 0 && (s) == BOX_LAST) CLUSTER_ARRIVE;
#endif
