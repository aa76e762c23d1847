#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""cufft_multi.py EDGE GPUS: times cuFFT's 3-D transform of EDGE^3 complex numbers in single precision on one GPU, and on several GPUs of this
process (cufftXt). In place; on several GPUs the output stays in cuFFT's own order, as Argand's transposed spectrum. Needs PyTorch to wait."""
import ctypes, glob, site, sys, time

try:
    import torch
except ImportError:
    sys.exit('there is no PyTorch')

C2C, INPLACE, FORWARD = 0x29, 2, -1


def library():
    names = [f for p in sys.path + site.getsitepackages() for f in glob.glob(p + '/nvidia/*/lib/libcufft.so.*')]
    for name in names + ['libcufft.so.12', 'libcufft.so']:
        try:
            return ctypes.CDLL(name)
        except OSError:
            pass
    sys.exit('there is no libcufft')


def check(result, what):
    if result:
        sys.exit(f'{what}: cuFFT error {result}')


def wait(gpus):
    for i in range(gpus):
        torch.cuda.synchronize(i)


def median(run, gpus, times=7):
    run()
    wait(gpus)
    all_times = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        wait(gpus)
        all_times.append(time.perf_counter() - start)
    return sorted(all_times)[times // 2]


def one(cufft, edge):
    plan = ctypes.c_int()
    check(cufft.cufftPlan3d(ctypes.byref(plan), edge, edge, edge, C2C), 'plan')
    data = torch.zeros((edge, edge, edge), dtype=torch.complex64, device='cuda:0')
    pointer = ctypes.c_void_p(data.data_ptr())
    seconds = median(lambda: check(cufft.cufftExecC2C(plan, pointer, pointer, FORWARD), 'transform'), 1)
    check(cufft.cufftDestroy(plan), 'destroy')
    del data
    torch.cuda.empty_cache()
    return seconds


def several(cufft, edge, gpus):
    plan, descriptor = ctypes.c_int(), ctypes.c_void_p()
    check(cufft.cufftCreate(ctypes.byref(plan)), 'create')
    check(cufft.cufftXtSetGPUs(plan, gpus, (ctypes.c_int * gpus)(*range(gpus))), 'GPUs')
    check(cufft.cufftMakePlan3d(plan, edge, edge, edge, C2C, (ctypes.c_size_t * gpus)()), 'plan')
    check(cufft.cufftXtMalloc(plan, ctypes.byref(descriptor), INPLACE), 'memory')
    seconds = median(lambda: check(cufft.cufftXtExecDescriptorC2C(plan, descriptor, descriptor, FORWARD), 'transform'), gpus)
    check(cufft.cufftXtFree(descriptor), 'free')
    check(cufft.cufftDestroy(plan), 'destroy')
    return seconds


def main():
    edge, gpus = int(sys.argv[1]), int(sys.argv[2])
    cufft = library()
    print(f'cuFFT {edge}^3 complex float on 1 GPU: {1e3 * one(cufft, edge):.2f} ms', flush=True)
    if gpus > 1:
        print(f'cuFFT {edge}^3 complex float on {gpus} GPUs: {1e3 * several(cufft, edge, gpus):.2f} ms', flush=True)


main()
