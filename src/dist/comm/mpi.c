/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the MPI library of the launcher that started this process, opens it, and chooses its binary
 * interface. */
#include "dist/comm/mpi.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#ifdef __APPLE__ /* the second ones are Homebrew's on arm64, whose folder the loader does not search */
static const char *const open_mpi_names[] = {"libmpi.40.dylib", "/opt/homebrew/lib/libmpi.40.dylib", NULL};
static const char *const mpich_names[] = {"libmpi.12.dylib", "/opt/homebrew/lib/libmpi.12.dylib", NULL};
#else
static const char *const open_mpi_names[] = {"libmpi.so.40", "libmpi.so.80", "libmpi.so.20", NULL};
static const char *const mpich_names[] = {"libmpi.so.12", "libmpich.so.12", "libmpi_cray.so.12", NULL};
#endif

/* Environment variables that launchers set, with the libraries that understand them. */
static const struct {
    const char *variable;
    const char *const *names;
} launchers[] = {{"OMPI_COMM_WORLD_SIZE", open_mpi_names}, /* Open MPI's mpirun */
                 {"PMI_RANK", mpich_names},                /* MPICH's mpirun, srun --mpi=pmi2, Intel MPI */
                 {"PMIX_RANK", open_mpi_names}};           /* srun --mpi=pmix */

enum { LAUNCHERS = sizeof launchers / sizeof *launchers };

/* Open MPI loads its components as plugins, which find the library's symbols only if these are global. */
static void *open_first(const char *const *names, int more)
{
    void *library = NULL;
    for (; *names && !library; names++) library = dlopen(*names, RTLD_NOW | RTLD_GLOBAL | more);
    return library;
}

/* Opens the library of ARGAND_MPI, one that the process has loaded already, the launcher's, or any. */
static void *open_library(const char *named, const char *const *first)
{
    void *library = NULL;
    if (named) return dlopen(named, RTLD_NOW | RTLD_GLOBAL);
    library = open_first(open_mpi_names, RTLD_NOLOAD);
    if (!library) library = open_first(mpich_names, RTLD_NOLOAD);
    if (!library && first) return open_first(first, 0);
    if (!library) library = open_first(open_mpi_names, 0);
    return library ? library : open_first(mpich_names, 0);
}

/* Chooses by the library's own name, which it tells before it is started. */
static const mpi_interface *interface_of(void *library)
{
    static const char *const relatives[] = {"MPICH", "Intel(R) MPI", "MVAPICH", "CRAY MPICH"};
    enum { MOST = 8193 }; /* MPI_MAX_LIBRARY_VERSION_STRING is at most 8192 */
    static char version[MOST];
    int (*tell)(char *, int *), length = 0;
    if (dlsym(library, "ompi_mpi_comm_world")) return &mpi_open_mpi;
    void *address = dlsym(library, "MPI_Get_library_version");
    memcpy(&tell, &address, sizeof address);
    if (!address || tell(version, &length)) return NULL;
    for (size_t i = 0; i < sizeof relatives / sizeof *relatives; i++)
        if (strstr(version, relatives[i])) return &mpi_mpich;
    return NULL;
}

static argand_status open_mpi(argand_comm **comm, const void *mpi_comm, const char *const *names,
                              const char *launcher)
{
    const char *named = getenv("ARGAND_MPI");
    void *library = open_library(named, names);
    CHECK(library, ARGAND_UNSUPPORTED,
          "%s%sthe MPI library %s cannot be opened: %s: install it, or give its file in ARGAND_MPI",
          launcher ? launcher : "", launcher ? " is set by an MPI launcher, but " : "",
          named   ? named
          : names ? names[0]
                  : open_mpi_names[0],
          dlerror());
    const mpi_interface *found = interface_of(library);
    CHECK(found, ARGAND_UNSUPPORTED,
          "the MPI library has the binary interface of neither Open MPI nor MPICH: give another one in "
          "ARGAND_MPI");
    return found->make(library, mpi_comm, comm);
}

static bool is_off(void)
{
    const char *named = getenv("ARGAND_MPI");
    return named && !strcmp(named, "off");
}

argand_status argand_comm_mpi(argand_comm **comm, const void *mpi_comm)
{
    CHECK(comm, ARGAND_ARGUMENT, "argand_comm_mpi: comm is NULL");
    *comm = NULL;
    CHECK(!is_off(), ARGAND_UNSUPPORTED, "ARGAND_MPI is off");
    return open_mpi(comm, mpi_comm, NULL, NULL);
}

argand_status argand_comm_open(argand_comm **comm)
{
    CHECK(comm, ARGAND_ARGUMENT, "argand_comm_open: comm is NULL");
    *comm = NULL;
    for (int i = 0; i < LAUNCHERS && !is_off(); i++)
        if (getenv(launchers[i].variable))
            return open_mpi(comm, NULL, launchers[i].names, launchers[i].variable);
    return argand_comm_self(comm);
}
