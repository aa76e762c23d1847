# SPDX-License-Identifier: BSD-3-Clause
"""One-pass FFT kernels against cuFFT, on a machine with CuPy: what docs/log/2026-11-24-fft-native.md rests on.

Stockham stages with the data in registers: a transform belongs to P items, T transforms to a group; shared memory only exchanges, padded by one number in
eight. RADICES from first to last; twiddles from a table for each stage, contiguous in the butterfly's place, or (POWERS) from one load and products.
Prints time, cuFFT's time, and the error against double for 2^27 points. Run: python3 tools/study/fft_one_pass.py
"""
import cupy as cp
import numpy as np

SRC = r'''
typedef float2 pair;
#define SYNC __syncthreads()
#define DEVICE static __device__ __forceinline__
DEVICE pair mk(float a,float b){return make_float2(a,b);}
DEVICE pair add(pair a,pair b){return mk(a.x+b.x,a.y+b.y);}
DEVICE pair sub(pair a,pair b){return mk(a.x-b.x,a.y-b.y);}
DEVICE pair mul(pair a,pair b){return mk(a.x*b.x-a.y*b.y,a.x*b.y+a.y*b.x);}
DEVICE pair rot(pair a){return mk(a.y,-a.x);} /* times -i (forward) */
DEVICE void bf2(pair*x){pair a=add(x[0],x[1]);x[1]=sub(x[0],x[1]);x[0]=a;}
DEVICE void bf4(pair*x){pair a=add(x[0],x[2]),b=sub(x[0],x[2]),c=add(x[1],x[3]),d=rot(sub(x[1],x[3]));
 x[0]=add(a,c);x[1]=add(b,d);x[2]=sub(a,c);x[3]=sub(b,d);}
DEVICE void bf8(pair*x){pair e[4]={x[0],x[2],x[4],x[6]},o[4]={x[1],x[3],x[5],x[7]};bf4(e);bf4(o);
 const float h=0.70710678118654752f;
 o[1]=mk(h*(o[1].x+o[1].y),h*(o[1].y-o[1].x));o[2]=rot(o[2]);o[3]=mk(h*(o[3].y-o[3].x),-h*(o[3].x+o[3].y));
 #pragma unroll
 for(int i=0;i<4;i++){x[i]=add(e[i],o[i]);x[i+4]=sub(e[i],o[i]);}}
DEVICE void bf16(pair*x){const float C=0.92387953251128674f,S=0.38268343236508977f,h=0.70710678118654752f;
 pair y[16];
 #pragma unroll
 for(int a=0;a<4;a++){pair t[4]={x[a],x[a+4],x[a+8],x[a+12]};bf4(t);
 #pragma unroll
 for(int k=0;k<4;k++)y[a*4+k]=t[k];}
 const pair w[10]={mk(1,0),mk(C,-S),mk(h,-h),mk(S,-C),mk(0,-1),mk(-S,-C),mk(-h,-h),mk(-C,-S),mk(-1,0),mk(-C,S)};
 #pragma unroll
 for(int k=0;k<4;k++){pair t[4];
 #pragma unroll
 for(int a=0;a<4;a++)t[a]=a*k?mul(y[a*4+k],w[a*k]):y[a*4+k];
 bf4(t);
 #pragma unroll
 for(int q=0;q<4;q++)x[k+4*q]=t[q];}}
template<int R> DEVICE void odd(pair*x,const float*c,const float*s){
 pair t[R/2+1],u[R/2+1];pair sum=x[0];
 #pragma unroll
 for(int k=1;k<=R/2;k++){t[k]=add(x[k],x[R-k]);u[k]=sub(x[k],x[R-k]);sum=add(sum,t[k]);}
 pair x0=x[0];
 #pragma unroll
 for(int m=1;m<=R/2;m++){pair a=x0;pair b=mk(0,0);
 #pragma unroll
 for(int k=1;k<=R/2;k++){int q=k*m%R;float cc=c[q],ss=s[q];a.x+=cc*t[k].x;a.y+=cc*t[k].y;b.x+=ss*u[k].y;b.y-=ss*u[k].x;}
 x[m]=add(a,b);x[R-m]=sub(a,b);}
 x[0]=sum;}
DEVICE void bf3(pair*x){const float c[3]={1,-.5f,-.5f},s[3]={0,.86602540378443865f,-.86602540378443865f};odd<3>(x,c,s);}
DEVICE void bf5(pair*x){const float c[5]={1,.30901699437494742f,-.80901699437494742f,-.80901699437494742f,.30901699437494742f},s[5]={0,.95105651629515357f,.58778525229247313f,-.58778525229247313f,-.95105651629515357f};odd<5>(x,c,s);}
DEVICE void bf7(pair*x){const float c[7]={1,.62348980185873353f,-.22252093395631440f,-.90096886790241913f,-.90096886790241913f,-.22252093395631440f,.62348980185873353f},s[7]={0,.78183148246802981f,.97492791218182361f,.43388373911755812f,-.43388373911755812f,-.97492791218182361f,-.78183148246802981f};odd<7>(x,c,s);}
template<int R> DEVICE void bf(pair*x){if(R==2)bf2(x);if(R==4)bf4(x);if(R==8)bf8(x);if(R==16)bf16(x);if(R==3)bf3(x);if(R==5)bf5(x);if(R==7)bf7(x);}
#define PAD(i) ((i)+((i)>>3))
template<int R,int L,bool FIRST,bool LAST> DEVICE void stage(const pair*in,pair*out,float*sm,const pair*tw,int p,bool live){
 constexpr int Q=N/R,B=(Q+P-1)/P;
 pair x[B][R];
 #pragma unroll
 for(int b=0;b<B;b++){int j=p+b*P;
  if(Q%P==0||j<Q){
   if(FIRST){
    #pragma unroll
    for(int r=0;r<R;r++)x[b][r]=live?in[j+r*Q]:mk(0,0);}
   else{
    #pragma unroll
    for(int r=0;r<R;r++)x[b][r].x=sm[PAD(j+r*Q)];}}}
 if(!FIRST){
  #pragma unroll
  for(int b=0;b<B;b++){int j=p+b*P;if(Q%P==0||j<Q){
   #pragma unroll
   for(int r=0;r<R;r++)x[b][r].y=sm[M+PAD(j+r*Q)];}}
 }
 #pragma unroll
 for(int b=0;b<B;b++){int j=p+b*P;if(Q%P==0||j<Q){
  if(L>1){int k=j%L;
#if POWERS
   pair w[R];w[1]=__ldg(tw+k);
   #pragma unroll
   for(int r=2;r<R;r++)w[r]=r%2?mul(w[r-1],w[1]):mul(w[r/2],w[r/2]);
#endif
  #pragma unroll
  for(int r=1;r<R;r++){
#if POWERS
   x[b][r]=mul(x[b][r],w[r]);
#else
   x[b][r]=mul(x[b][r],__ldg(tw+(r-1)*L+k));
#endif
  }}
  bf<R>(x[b]);}}
 if(LAST){
  #pragma unroll
  for(int b=0;b<B;b++){int j=p+b*P;if((Q%P==0||j<Q)&&live)
  #pragma unroll
  for(int r=0;r<R;r++)out[j+r*Q]=x[b][r];}
 }else{
  if(!FIRST)SYNC;
  #pragma unroll
  for(int b=0;b<B;b++){int j=p+b*P;if(Q%P==0||j<Q){int at=j/L*(L*R)+j%L;
  #pragma unroll
  for(int r=0;r<R;r++){sm[PAD(at+r*L)]=x[b][r].x;sm[M+PAD(at+r*L)]=x[b][r].y;}}}
  SYNC;
 }}
extern "C" __global__ __launch_bounds__(P*T,RES) void fft(pair*out,const pair*in,const pair*tw,int batch){
 extern __shared__ float shared[];
 int t=threadIdx.x/P,p=threadIdx.x%P;
 long long f=(long long)blockIdx.x*T+t;
 bool live=f<batch;
 float*sm=shared+t*2*M;
 in+=f*N;out+=f*N;
 BODY
}
'''
def table(rad):
    t=[];L=1
    for i,R in enumerate(rad):
        if i: t+=[np.exp(-2j*np.pi*r*np.arange(L)/(L*R)) for r in range(1,R)]
        L*=R
    return cp.asarray(np.concatenate(t or [np.ones(1)]).astype(np.complex64))
def make(N,radices,P,T,res,powers=0):
    M=N+(N>>3)+1
    if T>1 and M%32==0: M+=1
    body='';L=1;off=0
    for i,R in enumerate(radices):
        body+='stage<%d,%d,%s,%s>(in,out,sm,tw+%d,p,live);'%(R,L,'true' if i==0 else 'false','true' if i==len(radices)-1 else 'false',off); off+=(R-1)*L if i else 0; L*=R
    assert L==N
    src='#define POWERS %d\n#define N %d\n#define P %d\n#define T %d\n#define M %d\n#define RES %d\n#define BODY %s\n'%(powers,N,P,T,M,res,body)+SRC
    k=cp.RawKernel(src,'fft',options=('--std=c++17',))
    if len(radices)==1: sh=0
    else: sh=T*2*M*4
    if sh>48000: k.max_dynamic_shared_size_bytes=sh
    return k,sh
def timeit(f,n=9):
    f();f()
    ts=[]
    for _ in range(n):
        a,b=cp.cuda.Event(),cp.cuda.Event();a.record();f();b.record();b.synchronize();ts.append(cp.cuda.get_elapsed_time(a,b))
    return float(np.median(ts))
tot=1<<27
cases={256:[([16,16],16,16,4)],512:[([8,8,8],64,4,4),([8,8,8],64,2,8)],
 1024:[([4,16,16],64,2,8),([8,8,16],64,2,8),([16,16,4],64,2,8),([16,8,8],64,4,4)],
 2048:[([8,16,16],128,1,6),([16,16,8],128,2,4)],4096:[([16,16,16],256,1,3),([16,16,16],256,1,4),([8,8,8,8],512,1,2)],
 8192:[([2,16,16,16],512,1,2),([8,8,8,16],512,1,2),([16,8,8,8],512,1,2)],16384:[([4,16,16,16],1024,1,1),([16,16,8,8],1024,1,1)],
 105:[([5,7,3],15,16,4)],360:[([8,5,3,3],45,5,4)],1000:[([8,5,5,5],125,2,4),([5,5,5,8],125,2,4)],3125:[([5,5,5,5,5],313,1,3)]}
rng=cp.random.default_rng(1)
big=(rng.standard_normal(tot,dtype=cp.float32)+1j*rng.standard_normal(tot,dtype=cp.float32)).astype(cp.complex64)
out=cp.empty_like(big)
tc=timeit(lambda:cp.cuda.runtime.memcpyAsync(out.data.ptr,big.data.ptr,tot*8,3,0)); print('copy %.4f'%tc)
for N,cs in cases.items():
    batch=tot//N; a=big[:batch*N].reshape(batch,N); o=out[:batch*N].reshape(batch,N)
    plan=cp.cuda.cufft.Plan1d(N,cp.cuda.cufft.CUFFT_C2C,batch)
    tf=timeit(lambda:plan.fft(a,o,cp.cuda.cufft.CUFFT_FORWARD))
    ref=np.fft.fft(cp.asnumpy(a[:4]).astype(np.complex128)); 
    for rad,P,T,rs,pw in [c+(w,) for c in cs for w in (0,1)]:
        try:
            tw=table(rad); k,sh=make(N,rad,P,T,rs,pw)
            g=(batch+T-1)//T
            o[:4]=0
            f=lambda:k((g,),(P*T,),(o,a,tw,np.int32(batch)),shared_mem=sh)
            tm=timeit(f); e=cp.asnumpy(o[:4]); err=np.linalg.norm(e-ref)/np.linalg.norm(ref)
            print(pw,'%5d %-16s P%d T%d res%d: %.4f ms (cufft %.4f, ratio %.3f, x copy %.3f) err %.1e regs %d'%(N,rad,P,T,rs,tm,tf,tf/tm,tm/tc,err,k.num_regs))
        except Exception as ex: print(N,rad,'FAILED',str(ex)[:300])
