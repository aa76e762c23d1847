#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# tools/portable_deps.sh DIR [MODULE...]: collects the libraries that Argand is built with into DIR, as a prefix that can be
# carried to another Linux machine of the same processor family (its C library must not be older than this one's):
#   DIR/include, DIR/lib (with what the libraries need in turn), DIR/lib/pkgconfig with prefixes relative to where DIR lies.
# MODULE: names of pkg-config; all that Argand needs where none is given. Use it there with
#   PKG_CONFIG_PATH=DIR/lib/pkgconfig cmake ...     and     LD_LIBRARY_PATH=DIR/lib when programs run
# (tools/gpu_check.sh does both, given ARGAND_PREFIX=DIR).
set -euo pipefail

[ $# -ge 1 ] || { sed -n '3,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
dir=$1
shift
[ $# -gt 0 ] || set -- libxml-2.0 cmocka zlib hdf5 fftw3 fftw3f libpng
mkdir -p "$dir/include" "$dir/lib/pkgconfig"
dir=$(cd "$dir" && pwd)

# The C library and the compiler's own belong to the machine where they run.
belongs_to_machine() {
    case ${1##*/} in
    libc.so.* | libm.so.* | libdl.so.* | librt.so.* | libpthread.so.* | libresolv.so.* | ld-linux* | libstdc++.so.* | libgcc_s.so.* | \
        libgomp.so.*) true ;;
    *) false ;;
    esac
}

# ICU's table of encodings is 30 MB. libxml2 decodes UTF-8, UTF-16, ISO-8859-1 and ASCII by itself and asks ICU for others,
# which then are "not known": an empty table, as ICU's own stubdata, is enough.
stub_icu_data() {
    local name=${1##*/} symbol
    symbol=icudt${name##*.so.}_dat
    printf '%s\n' '#include <stdint.h>' \
        'typedef struct { uint16_t header_size; uint8_t magic1, magic2; uint16_t size, reserved; uint8_t big_endian, charset, wide, reserved1;' \
        '    uint8_t format[4], version[4], data_version[4]; uint8_t pad[8]; uint32_t count, zero; } table;' \
        "const table $symbol = {32, 0xda, 0x27, 20, 0, 0, 0, 2, 0, {0x54, 0x6f, 0x43, 0x50}, {1, 0, 0, 0}, {0, 0, 0, 0}, {0}, 0, 0};" |
        "${CC:-cc}" -shared -fPIC -x c - -Wl,-soname,"$name" -o "$dir/lib/$name"
}

# $1: a library's file; under the name by which programs ask for it, with what it needs
copy_library() {
    local file needed
    ldd "$1" | awk '$2 == "=>" && $3 ~ "/" {print $3}' >"$dir/.needed"
    while read -r needed; do
        if belongs_to_machine "$needed" || [ -e "$dir/lib/${needed##*/}" ]; then continue; fi
        case $needed in
        */libicudata.so.*) stub_icu_data "$needed" ;;
        *) install -m 644 "$(readlink -f "$needed")" "$dir/lib/${needed##*/}" ;;
        esac
    done <"$dir/.needed"
    rm "$dir/.needed"
    file=$(objdump -p "$1" | awk '$1 == "SONAME" {print $2}')
    [ -e "$dir/lib/$file" ] || install -m 644 "$(readlink -f "$1")" "$dir/lib/$file"
    ln -sf "$file" "$dir/lib/${1##*/}"
}

# $1: a -l name; $2...: folders
find_library() {
    local name=$1 folder
    shift
    for folder in "$@" $("${CC:-cc}" -print-search-dirs | sed -n 's/^libraries: =//p' | tr ':' ' '); do
        if [ -e "$folder/lib$name.so" ]; then echo "$folder/lib$name.so"; return; fi
    done
    echo "lib$name.so was not found" >&2
    return 1
}

# The module's headers: its own include folders as a whole, or from the common one those that its package brought.
copy_headers() {
    local module=$1 flag folder list
    for flag in $(PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 pkg-config --cflags-only-I "$module"); do
        folder=${flag#-I}
        case $folder in
        /usr/include | /usr/include/"$triplet")
            list=$(dpkg -L "$(package_of "$module")" | grep -E '^/usr/include/.*\.h$')
            while read -r header; do
                install -D -m 644 "$header" "$dir/include/$(echo "${header#/usr/include/}" | sed "s,^$triplet/,,")"
            done <<<"$list"
            # libxml2's headers include ICU's, which are another package's
            if grep -rqs 'include <unicode/' "$dir/include" && [ -d "$folder/unicode" ]; then cp -rL "$folder/unicode" "$dir/include/"; fi ;;
        *) mkdir -p "$dir/include/$module" && cp -rL "$folder/." "$dir/include/$module/" && find "$dir/include/$module" -name "*.mod" -delete ;;
        esac
    done
}

package_of() { dpkg -S "$(pkg-config --variable=pcfiledir "$1")/$1.pc" 2>/dev/null | cut -d: -f1 || true; }

write_pc() {
    local module=$1
    printf '%s\n' 'prefix=${pcfiledir}/../..' "Name: $module" "Description: $module" \
        "Version: $(pkg-config --modversion "$module")" "Cflags: -I\${prefix}/include/$module -I\${prefix}/include" \
        "Libs: -L\${prefix}/lib $(pkg-config --libs-only-l "$module")" >"$dir/lib/pkgconfig/$module.pc"
}

triplet=$("${CC:-cc}" -print-multiarch 2>/dev/null || true)
for module in "$@"; do
    pkg-config --exists "$module" || { echo "$module is not installed here (tools/bootstrap.sh test)" >&2; exit 1; }
    folders=$(PKG_CONFIG_ALLOW_SYSTEM_LIBS=1 pkg-config --libs-only-L "$module" | sed 's/-L//g')
    for name in $(pkg-config --libs-only-l "$module"); do
        # shellcheck disable=SC2086 # folders is a list
        copy_library "$(find_library "${name#-l}" $folders)"
    done
    copy_headers "$module"
    mkdir -p "$dir/include/$module"
    write_pc "$module"
done
du -sh "$dir" | cut -f1 | sed "s,\$, in $dir,"
echo "needs a C library of at least $(objdump -T "$dir"/lib/*.so* 2>/dev/null | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -1 | tr '_' ' ')"
