/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens HDF5 files and groups after a check of their first bytes, and checks their types. */
#include "io/hdf5/session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/size.h"
#include "io/hdf5/dataset.h"

/* Deepest nesting of types: ISMRMRD has 3 levels. HDF5 copies the whole rest at each level. */
enum { DEEPEST_TYPE = 12 };

static bool begins(const unsigned char *bytes, size_t count, size_t at, const char *magic, size_t length)
{
    return count >= at + length && !memcmp(bytes + at, magic, length);
}

const char *hdf5_looks_like(const unsigned char *bytes, size_t count)
{
    static const struct {
        size_t at;
        const char *magic;
        size_t length;
        const char *format_name;
    } known[] = {
        {0, "\x1f\x8b", 2, "a gzip-compressed file: an image (.nii.gz), or a scan to be unpacked first"},
        {0, "PK\x03\x04", 4, "a zip archive; unpack it first"},
        {0, "\x93NUMPY", 6, "a NumPy array; --kspace of argand sense takes it"},
        {344, "n+1", 4, "a NIfTI image"},
        {344, "ni1", 4, "a NIfTI image"},
        {128, "DICM", 4, "a DICOM image, which holds no raw data"},
        {0, "MATLAB 5.0", 10, "a MATLAB file (version 5)"},
        {0, "\x89PNG", 4, "a PNG picture"},
        {0, "<?xml", 5, "an XML text"},
        {0, "version https://git-lfs", 23,
         "the placeholder of a file in Git LFS; fetch the file with git lfs pull"},
        {0, "# Pulseq", 8, "a Pulseq sequence, which holds no samples; --sequence takes it"},
        {0, "# Dimensions", 12, "the header of a BART array (.hdr)"},
        {0, "CDF", 3, "a NetCDF file of version 3"},
    };
    if (!count) return "an empty file";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (begins(bytes, count, known[i].at, known[i].magic, known[i].length)) return known[i].format_name;
    size_t printable = 0;
    for (size_t i = 0; i < count; i++)
        printable +=
            (bytes[i] >= ' ' && bytes[i] < 127) || bytes[i] == '\n' || bytes[i] == '\r' || bytes[i] == '\t';
    return printable == count ? "a text" : NULL;
}

#define READ_SCANS                                                                     \
    "Argand reads ISMRMRD and fastMRI (HDF5), streams of ISMRMRD, MRD 2, Siemens raw " \
    "files (twix), and folders of ParaVision"

static argand_status not_hdf5(const char *path, int descriptor)
{
    unsigned char bytes[512];
    const ssize_t count = pread(descriptor, bytes, sizeof bytes, 0);
    const size_t there = count > 0 ? (size_t)count : 0;
    const char *format = hdf5_looks_like(bytes, there), *ending = strrchr(path, '.');
    if (!format && ending && !strcmp(ending, ".cfl"))
        format = "a BART array; --kspace of argand sense takes it"; /* a .cfl holds numbers alone */
    if (format)
        return status_set(ARGAND_FORMAT,
                          "%s: is not a scan that Argand reads: this looks like %s. " READ_SCANS, path,
                          format);
    char first[3 * 8 + 1] = "";
    for (size_t i = 0; i < there && i < 8; i++) snprintf(first + 3 * i, 4, " %02x", bytes[i]);
    return status_set(ARGAND_FORMAT,
                      "%s: is not a scan that Argand reads: its first bytes are%s, of a format that Argand "
                      "does not know. " READ_SCANS,
                      path, first);
}

/* Examines the file first: HDF5 cannot distinguish a missing file from one that is not HDF5, and would
 * wait for a pipe. */
static argand_status look_first(hsize_t *bytes, const char *path)
{
    argand_status status = ARGAND_OK;
    struct stat found;
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    CHECK(descriptor >= 0, ARGAND_FILE, "%s: cannot be read: %s", path, strerror(errno));
    CHECK_OR_DONE(!fstat(descriptor, &found) && S_ISREG(found.st_mode), ARGAND_FILE, "%s: is %s, not a file",
                  path, S_ISDIR(found.st_mode) ? "a folder" : "a device or pipe");
    *bytes = (hsize_t)found.st_size;
    if (H5Fis_hdf5(path) <= 0) status = not_hdf5(path, descriptor);
done:
    close(descriptor);
    return status;
}

/* Returns true for a link without a target, as /proc has them for files that no folder names. HDF5 opens such
 * a file and then fails, as it looks for the true name. */
static bool has_no_name(const char *path)
{
    struct stat link, found;
    if (lstat(path, &link) || !S_ISLNK(link.st_mode) || stat(path, &found)) return false;
    char *name = realpath(path, NULL);
    free(name);
    return !name;
}

/* Opens a file; one without a name is read into HDF5's memory as a whole. */
static hid_t open_file(const char *path)
{
    enum { STEP = 1 << 20 };
    if (!has_no_name(path)) return H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, STEP, false);
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, access);
    H5Pclose(access);
    return file;
}

argand_status hdf5_open(hid_t *file, hsize_t *bytes, const char *path)
{
    TRY(look_first(bytes, path));
    *file = open_file(path);
    if (*file >= 0) return ARGAND_OK;
    const char *reason = hdf5_reason();
    CHECK(!strstr(reason, "truncated"), ARGAND_FORMAT,
          "%s: is cut off (%s). Copy it again, or write it again", path, reason);
    CHECK(!strstr(reason, "lock file"), ARGAND_FILE,
          "%s: cannot be locked for reading (%s). Is another program writing it? If the file system knows no "
          "locks, "
          "set HDF5_USE_FILE_LOCKING=FALSE",
          path, reason);
    return status_set(ARGAND_FORMAT, "%s: is HDF5 but damaged (%s)", path, reason);
}

void hdf5_list(text *names, hid_t group)
{
    enum { MOST = 20 };
    char name[128];
    hsize_t i = 0;
    for (; i < MOST; i++) {
        const ssize_t length =
            H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT);
        if (length < 0) break;
        text_add(names, "%s%s", i ? ", " : "", name);
    }
    if (!i) text_add(names, "nothing");
    if (i == MOST) text_add(names, ", ...");
}

/* Returns true if a group of the file has the header of a scan. */
static bool holds_scan(hid_t file)
{
    enum { MOST = 20 };
    char name[128], header[sizeof name + 8];
    const hid_t list = hdf5_stay_inside(H5P_LINK_ACCESS);
    bool found = false;
    for (hsize_t i = 0; i < MOST && !found; i++) {
        const ssize_t length =
            H5Lget_name_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT);
        if (length < 0) break;
        snprintf(header, sizeof header, "%s/xml", name);
        found = H5Lexists(file, header, list) > 0;
    }
    H5Pclose(list);
    return found;
}

argand_status hdf5_open_group(hid_t *group, hid_t file, const char *path, const char *name)
{
    const hid_t list = hdf5_stay_inside(H5P_GROUP_ACCESS);
    *group = H5Gopen2(file, name, list);
    const char *reason = *group < 0 ? hdf5_reason() : "";
    H5Pclose(list);
    if (*group >= 0) return ARGAND_OK;
    CHECK(
        !strstr(reason, "traversal"), ARGAND_UNSUPPORTED,
        "%s: the group \"%s\" is a link to another file. Only data inside the file are read: copy them into "
        "one file (h5copy -f ext)",
        path, name);
    text names = {0};
    hdf5_list(&names, file);
    const argand_status status = status_set(
        ARGAND_FORMAT, "%s: has no group \"%s\". It holds: %s. %s", path, name, text_chars(&names),
        holds_scan(file) ? "Name the group of the scan: --group, or argand_scan_options.group"
                         : "None is a scan (a group with \"xml\"). Write arrays as .npy; argand pack "
                           "makes a scan of them");
    text_free(&names);
    return status;
}

static bool is_sound(hid_t type, int level);

static bool member_is_sound(hid_t type, unsigned i, int level)
{
    const hid_t member = H5Tget_member_type(type, i);
    const size_t offset = H5Tget_member_offset(type, i), size = H5Tget_size(member),
                 whole = H5Tget_size(type);
    const bool sound =
        member >= 0 && size && size <= whole && offset <= whole - size && is_sound(member, level + 1);
    if (member >= 0) H5Tclose(member);
    return sound;
}

static bool base_is_sound(hid_t type, size_t copies, int level)
{
    const hid_t base = H5Tget_super(type);
    const size_t size = H5Tget_size(base);
    const bool sound =
        base >= 0 && size && (!copies || H5Tget_size(type) / copies == size) && is_sound(base, level + 1);
    if (base >= 0) H5Tclose(base);
    return sound;
}

static bool array_is_sound(hid_t type, int level)
{
    hsize_t dims[H5S_MAX_RANK];
    size_t copies = 1;
    const int rank = H5Tget_array_dims2(type, dims);
    for (int d = 0; d < rank; d++)
        if (!dims[d] || !size_multiply(&copies, copies, (size_t)dims[d])) return false;
    return rank > 0 && base_is_sound(type, copies, level);
}

static bool is_sound(hid_t type, int level)
{
    if (level > DEEPEST_TYPE) return false;
    switch (H5Tget_class(type)) {
    case H5T_COMPOUND:
        for (int i = 0, count = H5Tget_nmembers(type); i < count; i++)
            if (!member_is_sound(type, (unsigned)i, level)) return false;
        return true;
    case H5T_ARRAY:
        return array_is_sound(type, level);
    case H5T_VLEN:
        return base_is_sound(type, 0, level);
    case H5T_INTEGER:
    case H5T_FLOAT:
        return H5Tget_precision(type) + (size_t)H5Tget_offset(type) <= 8 * H5Tget_size(type);
    default:
        return H5Tget_class(type) >= 0;
    }
}

bool hdf5_type_is_sound(hid_t type)
{
    return is_sound(type, 0);
}
