# SPDX-License-Identifier: BSD-3-Clause
"""make_corpus.py FOLDER: the seeds of the fuzzers, a small file of each format and of each structure that it can have.
They are kept in tests/fuzz/corpus; this says how they were made (numpy, h5py)."""
import gzip
import io
import os
import struct
import sys
import zlib

import h5py
import numpy as np

folder = sys.argv[1]


def put(kind, name, data):
    os.makedirs(f"{folder}/{kind}", exist_ok=True)
    with open(f"{folder}/{kind}/{name}", "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())


# ---- arrays

def npy(array, version=(1, 0)):
    to = io.BytesIO()
    np.lib.format.write_array(to, array, version=version)
    return to.getvalue()


for code in "|b1 |i1 <i2 >i4 <i8 |u1 <u2 <u4 >u8 <f4 >f4 <f8 <c8 >c8 <c16".split():
    put("npy", "type_" + code.strip("|<>") + ("_big" if code[0] == ">" else ""), npy(np.arange(6).reshape(2, 3).astype(code)))
put("npy", "fortran", npy(np.asfortranarray(np.arange(12, dtype="f4").reshape(3, 4))))
put("npy", "version2", npy(np.zeros((2, 2), "f4"), (2, 0)))
put("npy", "scalar", npy(np.float32(3)[()].reshape(())))
put("npy", "packed", gzip.compress(npy(np.zeros((4, 4), "c8")), mtime=0))
put("npy", "records", npy(np.zeros(2, [("a", "<f4")])))


def nifti(dims, code, size, version=1, swap=False, slope=1.0, sform=True, qform=True):
    order = ">" if swap else "<"
    count = int(np.prod(dims))
    shape = [len(dims)] + list(dims) + [1] * (7 - len(dims))
    rows = [1, 0, 0, -3, 0, 2, 0, 4, 0, 0, 3, 5]
    if version == 1:
        head = bytearray(352)
        struct.pack_into(order + "i", head, 0, 348)
        struct.pack_into(order + "8h", head, 40, *shape)
        struct.pack_into(order + "2h", head, 70, code, 8 * size)
        struct.pack_into(order + "8f", head, 76, -1, 1, 2, 3, 0.5, 1, 1, 1)
        struct.pack_into(order + "3f", head, 108, 352, slope, 0)
        head[123] = 10
        struct.pack_into(order + "2h", head, 252, qform, sform)
        struct.pack_into(order + "6f", head, 256, 0.1, 0.2, 0.3, 1, 2, 3)
        struct.pack_into(order + "12f", head, 280, *rows)
        head[344:348] = b"n+1\0"
    else:
        head = bytearray(544)
        struct.pack_into(order + "i", head, 0, 540)
        head[4:12] = b"n+2\0\r\n\x1a\n"
        struct.pack_into(order + "2h", head, 12, code, 8 * size)
        struct.pack_into(order + "8q", head, 16, *shape)
        struct.pack_into(order + "8d", head, 104, -1, 1, 2, 3, 0.5, 1, 1, 1)
        struct.pack_into(order + "q2d", head, 168, 544, slope, 0)
        struct.pack_into(order + "2i", head, 344, qform, sform)
        struct.pack_into(order + "6d", head, 352, 0.1, 0.2, 0.3, 1, 2, 3)
        struct.pack_into(order + "12d", head, 400, *rows)
        struct.pack_into(order + "i", head, 500, 10)
    return bytes(head) + bytes(count * size)


for code, size in [(2, 1), (4, 2), (8, 4), (16, 4), (32, 8), (64, 8), (256, 1), (512, 2), (768, 4), (1024, 8), (1280, 8), (1792, 16)]:
    put("nifti", f"type_{code}", nifti((3, 2, 2), code, size))
put("nifti", "swapped", nifti((3, 2), 16, 4, swap=True, slope=2.5))
put("nifti", "version2", nifti((3, 2, 2, 2), 16, 4, version=2))
put("nifti", "version2_swapped", nifti((3, 2), 4, 2, version=2, swap=True))
put("nifti", "quaternion", nifti((3, 2, 1), 16, 4, sform=False))
put("nifti", "no_place", nifti((5,), 16, 4, sform=False, qform=False))
put("nifti", "packed", gzip.compress(nifti((4, 4, 4), 16, 4), mtime=0))


def cfl(header, bytes_of_numbers):
    return struct.pack("<H", bytes_of_numbers) + header.encode()


put("cfl", "plain", cfl("# Dimensions\n2 3 1 1 1 1 1 1 1 1 1 1 1 1 1 1 \n", 48))
put("cfl", "creator", cfl("# Dimensions\n4 1 2\n# Command\nphantom\n# Files\n>x\n# Creator\nBART\n", 64))
put("cfl", "short", cfl("# Dimensions\n7\n", 56))
put("cfl", "too_short", cfl("# Dimensions\n7 7\n", 56))

# ---- pictures (Pillow; OpenEXR and tifffile where they are installed)

small = (np.arange(12 * 9 * 3) * 7 % 256).astype("u1").reshape(12, 9, 3)


def pillow(kind, name, image, **options):
    to = io.BytesIO()
    image.save(to, format={"png": "PNG", "tiff": "TIFF"}[kind], **options)
    put(kind, name, to.getvalue())


def png_file(head, rows):
    chunks = [(b"IHDR", head), (b"gAMA", struct.pack(">I", 60000)), (b"tEXt", b"Title\0small"), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(struct.pack(">I4s", len(d), n) + d + struct.pack(">I", zlib.crc32(n + d)) for n, d in chunks)


def pictures():
    from PIL import Image
    for mode in "L LA RGB RGBA P 1 I;16".split():
        image = Image.fromarray(small[..., 0].astype("u2") * 257) if mode == "I;16" else Image.fromarray(small).convert(mode)
        pillow("png", "mode_" + mode.replace(";", ""), image)
        if mode != "LA":
            pillow("tiff", "mode_" + mode.replace(";", ""), image)
    pillow("png", "transparent", Image.fromarray(small).convert("P"), transparency=3)
    pillow("tiff", "float", Image.fromarray(small[..., 0].astype("f4") / 7))
    for way in "tiff_lzw tiff_adobe_deflate packbits jpeg".split():
        pillow("tiff", way, Image.fromarray(small), compression=way)
    # Adam7, of one row of 9 pixels: passes 1, 2, 4 and 6 have 2, 1, 2 and 4 of them
    passes = b"".join(b"\0" + bytes(range(n)) for n in (2, 1, 2, 4))
    put("png", "interlaced", png_file(struct.pack(">IIBBBBB", 9, 1, 8, 0, 0, 0, 1), passes))
    put("pfm", "colour", b"PF\n9 12\n-1.0\n" + small.astype("<f4").tobytes())
    put("pfm", "grey_big", b"Pf 9 12 2.0\n" + small[..., 0].astype(">f4").tobytes())


def jpeg():
    """13 x 10 pixels whose colours say where they are; every way in which Pillow writes them."""
    from PIL import Image, ImageCms
    y, x = np.mgrid[:10, :13]
    place = np.dstack([20 * x, 25 * y, np.full_like(x, 128)]).astype("u1")
    image, exif = Image.fromarray(place), Image.Exif()
    exif[0x0112] = 6
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    best = {"quality": 100, "subsampling": 0}
    for name, picture, options in (
            ("colour", image, best), ("grey", Image.fromarray(place[..., 1]), best), ("halved", image, {"quality": 90}),
            ("progressive", image, {**best, "progressive": True}), ("restarts", image, {**best, "restart_marker_blocks": 1}),
            ("orientation", image, {**best, "exif": exif}), ("srgb", image, {**best, "icc_profile": profile}),
            ("profile", image, {**best, "icc_profile": profile.replace(b"s\0R\0G\0B", b"P\0a\0n\0t").replace(b"sRGB", b"Pant")}),
            ("cmyk", image.convert("CMYK"), best)):
        to = io.BytesIO()
        picture.save(to, format="JPEG", **options)
        put("jpeg", name, to.getvalue())


def tiles():
    import tifffile
    for name, options in {"tiles": {"tile": (16, 16)}, "planes": {"planarconfig": "separate"}, "half": {},
                          "tiled_planes": {"tile": (16, 16), "planarconfig": "separate", "compression": "zlib"}}.items():
        to = io.BytesIO()
        data = small.astype("f2") if name == "half" else small
        data = data.transpose(2, 0, 1) if "plan" in name else data
        tifffile.imwrite(to, data, photometric="rgb", **options)
        put("tiff", name, to.getvalue())


def exr():
    import OpenEXR
    rgb = small.astype("f4") / 9
    for way in "NO RLE ZIPS ZIP PIZ PXR24 B44 B44A DWAA DWAB".split():
        for kind in ("f2", "f4"):
            header = {"compression": getattr(OpenEXR, way + "_COMPRESSION"), "type": OpenEXR.scanlineimage, "owner": "nobody"}
            exr_file(OpenEXR, f"{way.lower()}_{kind}", header, {"RGB": rgb.astype(kind)})
    exr_file(OpenEXR, "tiles", {"type": OpenEXR.tiledimage, "tiles": OpenEXR.TileDescription(), "compression": OpenEXR.ZIP_COMPRESSION},
             {"RGB": rgb.astype("f2")})
    put("exr", "chroma", exr_chroma(small[:, :8, 0].astype("<f2")))
    exr_file(OpenEXR, "layers", {"type": OpenEXR.scanlineimage}, {"RGBA": np.dstack([rgb, rgb[..., :1]]), "Z": rgb[..., 0],
                                                              "id": small[..., 0].astype("u4"), "left.R": rgb[..., 1].astype("f2")})


    exr_parts(OpenEXR)


def exr_parts(OpenEXR):
    """33 rows of 5, for blocks of 32 and one row: floats that B44 stores raw, lossy colours beside what stays exact; several parts."""
    ramp = np.arange(165).reshape(33, 5)
    lines = OpenEXR.scanlineimage
    for way in "ZIP B44 B44A DWAA DWAB".split():
        header = {"compression": getattr(OpenEXR, way + "_COMPRESSION"), "type": lines}
        if way != "DWAB":
            exr_file(OpenEXR, f"raw_{way.lower()}", header, {c: (ramp / 7 + i).astype("f4") for i, c in enumerate("RGB")})
        exr_file(OpenEXR, f"ramp_{way.lower()}", header, {
            "R": (ramp / 64).astype("f2"), "G": ((165 - ramp) / 64).astype("f2"), "B": np.full((33, 5), 0.5, "f2"),
            "A": np.ones((33, 5), "f2"), "Z": (ramp / 7).astype("f4"), "id": (2**31 + ramp).astype("u4")})
    exr_file(OpenEXR, "newer_htj2k256", {"compression": OpenEXR.HTJ2K256_COMPRESSION, "type": lines}, {"Y": (ramp / 64).astype("f2")})
    part = OpenEXR.Part
    parts = [part({"type": lines, "compression": OpenEXR.DWAA_COMPRESSION, "o" * 40: "owner"}, {"R": (ramp / 64).astype("f2")}, "left"),
             part({"type": OpenEXR.tiledimage, "tiles": OpenEXR.TileDescription(), "compression": OpenEXR.PIZ_COMPRESSION},
                  {"Z": (ramp / 7).astype("f4")}, "depth"),
             part({"type": lines, "compression": OpenEXR.ZIP_COMPRESSION}, {"id": (2**31 + ramp).astype("u4")}, "numbers")]
    OpenEXR.File(parts).write(f"{folder}/exr/parts")


def exr_chroma(y):
    """Luminance, and chroma of half as many samples along both axes, by hand."""
    def attribute(name, kind, value):
        return name + b"\0" + kind + b"\0" + struct.pack("<i", len(value)) + value
    h, w = y.shape
    window = struct.pack("<4i", 0, 0, w - 1, h - 1)
    channels = b"".join(n + b"\0" + struct.pack("<4i", 1, 0, s, s) for n, s in ((b"BY", 2), (b"RY", 2), (b"Y", 1))) + b"\0"
    head = struct.pack("<2i", 20000630, 2) + b"".join(attribute(*a) for a in (
        (b"channels", b"chlist", channels), (b"compression", b"compression", b"\0"), (b"dataWindow", b"box2i", window),
        (b"displayWindow", b"box2i", window), (b"lineOrder", b"lineOrder", b"\0"), (b"pixelAspectRatio", b"float", struct.pack("<f", 1)),
        (b"screenWindowCenter", b"v2f", bytes(8)), (b"screenWindowWidth", b"float", struct.pack("<f", 1)))) + b"\0"
    lines = [(y[r, ::2] / 300).tobytes() * (2 * (r % 2 == 0)) + y[r].tobytes() for r in range(h)]
    chunks = [struct.pack("<2i", r, len(line)) + line for r, line in enumerate(lines)]
    starts = np.cumsum([len(head) + 8 * h] + [len(c) for c in chunks[:-1]])
    return head + starts.astype("<u8").tobytes() + b"".join(chunks)


def exr_file(OpenEXR, name, header, channels):
    path = f"{folder}/exr/{name}"
    os.makedirs(os.path.dirname(path), exist_ok=True)
    OpenEXR.File(header, channels).write(path)


for make in pictures, jpeg, tiles, exr:
    try:
        make()
    except ImportError as error:
        print(f"passed over: {error}")

# ---- texts

put("wisdom", "plain", "argand wisdom 1\ndevice\tA chip\nc32 256x256 batch 8\tnative\tthreads 64\t2250.500e-9\nc64 8\tpasses\t\t10.000e-9\n"
    "device\tAnother chip\nc32 256x256 batch 8\tcufft\t\t3000.000e-9\n!copy\t-\t\t0.5e-9\n")
put("wisdom", "strides", "argand wisdom 1\n# a comment\r\n\ndevice\tcpu\nr32 12x7 centred axes 12:1:1 7:12:12 loops 3:84:84\tpasses\t\t1e-6\n"
    "r32 12x7 inverse\tpasses\tr12:real_batch/simd_batch 7:simd_single/-\t2e-6\n")
put("wisdom", "falling", "argand wisdom 1\ndevice\td\n" + "".join(f"c32 {i}\tnative\t\t1.000e-9\n" for i in range(60, 0, -1)))
put("wisdom", "access", "argand wisdom 1\ndevice\td\n"
    "c32 1024x1024 batch 64 access inverse spectrum mirrored\tfused\tchunk_kib 0 twiddle_products 3 row_lines 2\t881700.000e-9\n"
    "c32 1024 batch 65536 access in c16 split 128x64 mirror load own:0123456789abcdef array:n1\tfused\tpoints_per_thread 10\t1e-6\n")
put("wisdom", "empty", "argand wisdom 1\n")
put("json", "sidecar", '{\n  "Units": "Hz",\n  "Argand": {\n    "Kind": "field map",\n    "Dimensions": [32, 32, 1],\n'
    '    "Source": "scan.h5",\n    "Iterations": 10, "Residual": 1.5e-3, "Converged": true, "None": null\n  }\n}\n')
put("json", "escapes", '{"a": "\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e4\\ud83d\\ude00", "b": [[[]], {}, [1, -2.5E+10, false]]}')
put("json", "deep", "[" * 15 + "1" + "]" * 15)
put("json", "scalar", " \t\n-0.5e-7 ")

# ---- scans

counters = np.dtype([(name, "<u2") for name in ("kspace_encode_step_1", "kspace_encode_step_2", "average", "slice", "contrast",
                                                "phase", "repetition", "set", "segment")] + [("user", "<u2", (8,))])
head = np.dtype([("version", "<u2"), ("flags", "<u8"), ("measurement_uid", "<u4"), ("scan_counter", "<u4"),
                 ("acquisition_time_stamp", "<u4"), ("physiology_time_stamp", "<u4", (3,)), ("number_of_samples", "<u2"),
                 ("available_channels", "<u2"), ("active_channels", "<u2"), ("channel_mask", "<u8", (16,)),
                 ("discard_pre", "<u2"), ("discard_post", "<u2"), ("center_sample", "<u2"), ("encoding_space_ref", "<u2"),
                 ("trajectory_dimensions", "<u2"), ("sample_time_us", "<f4"), ("position", "<f4", (3,)),
                 ("read_dir", "<f4", (3,)), ("phase_dir", "<f4", (3,)), ("slice_dir", "<f4", (3,)),
                 ("patient_table_position", "<f4", (3,)), ("idx", counters), ("user_int", "<i4", (8,)), ("user_float", "<f4", (8,))])
row = np.dtype([("head", head), ("traj", h5py.vlen_dtype(np.float32)), ("data", h5py.vlen_dtype(np.float32))])
space = ("<matrixSize><x>8</x><y>6</y><z>1</z></matrixSize><fieldOfView_mm><x>240</x><y>180</y><z>5</z></fieldOfView_mm>")
xml = ('<?xml version="1.0"?><ismrmrdHeader xmlns="http://www.ismrm.org/ISMRMRD"><encoding><encodedSpace>' + space +
       "</encodedSpace><reconSpace>" + space + "</reconSpace><trajectory>%s</trajectory></encoding>"
       "<sequenceParameters><TE>4.6</TE></sequenceParameters><userParameters><userParameterLong><name>a</name><value>3</value>"
       "</userParameterLong></userParameters></ismrmrdHeader>")


def rows(dimensions=0, flags=()):
    table = np.zeros(6, row)
    for i in range(6):
        h = table[i]["head"]
        h["number_of_samples"], h["active_channels"], h["trajectory_dimensions"] = 8, 2, dimensions
        h["sample_time_us"], h["center_sample"], h["flags"] = 4, 4, dict(flags).get(i, 0)
        h["idx"]["kspace_encode_step_1"] = i
        table[i]["data"] = np.arange(32, dtype="f4") + i
        k = np.zeros((8, max(dimensions, 1)), "f4")
        k[:, 0] = np.arange(8) - 4
        table[i]["traj"] = k.ravel() if dimensions else np.zeros(0, "f4")
    return table


def scan(name, table=None, trajectory="cartesian", arrays=None, options=None, text=None, libver="earliest", fixed=False, group="dataset"):
    path = f"{folder}/scan/{name}.h5"
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with h5py.File(path, "w", libver=libver) as file:
        g = file.create_group(group)
        text = xml % trajectory if text is None else text
        if fixed:
            g.create_dataset("xml", data=np.array([text.encode()]))
        else:
            g.create_dataset("xml", data=np.array([text], dtype=object), dtype=h5py.string_dtype())
        g.create_dataset("data", data=rows() if table is None else table, dtype=row, **(options or {}))
        if arrays:
            arrays(file, g)


def maps(file, g):
    pair = np.zeros((1, 2, 1, 6, 8), [("real", "<f4"), ("imag", "<f4")])
    pair["real"] = 1
    g["SENSEMap"] = pair
    g["FieldMap"] = np.zeros((1, 1, 6, 8), "f4")
    g["Mask"] = np.ones((1, 1, 6, 8), bool)


def zoo(file, g):
    g.create_dataset("Packed", data=np.zeros((1, 6, 8)), chunks=(1, 6, 8), compression="gzip", shuffle=True, fletcher32=True)
    g.create_dataset("Chunks", data=np.zeros((2, 6, 8), "<i2"), chunks=(1, 3, 4), maxshape=(None, 6, 8))
    g.create_dataset("Vector", data=np.zeros(48, ">f4"))
    g["Complex"] = np.zeros((1, 3), "c16")
    g["Words"] = np.array([b"abc"])
    properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    properties.set_layout(h5py.h5d.COMPACT)
    h5py.h5d.create(g.id, b"Compact", h5py.h5t.NATIVE_FLOAT, h5py.h5s.create_simple((1, 4)), properties)


def links(file, g):
    g["Soft"] = h5py.SoftLink("/dataset/data")
    g["Far"] = h5py.ExternalLink("other.h5", "/dataset/FieldMap")
    properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    properties.set_external(b"/dev/zero", 0, 64)
    h5py.h5d.create(g.id, b"Stored", h5py.h5t.NATIVE_UINT8, h5py.h5s.create_simple((1, 64)), properties)


def virtual(file, g):
    layout = h5py.VirtualLayout(shape=(1, 6, 8), dtype="f4")
    layout[...] = h5py.VirtualSource("other.h5", "dataset/FieldMap", shape=(1, 6, 8))
    g.create_virtual_dataset("Virtual", layout)


scan("contiguous", arrays=maps)
scan("chunked", rows(4), "spiral", options={"chunks": (1,), "maxshape": (None,)}, arrays=maps)
scan("packed", rows(3), "spiral", options={"chunks": (6,), "compression": "gzip"})
scan("purposes", rows(2, {0: 1 << 18, 1: 1 << 22, 2: 1 << 19, 3: 1 << 23}.items()), "radial")
scan("zoo", arrays=zoo)
scan("links", arrays=links)
scan("virtual", arrays=virtual, libver=("earliest", "v110"))
scan("latest", libver="latest", arrays=maps)
scan("fixed_header", fixed=True)
scan("document_type", text=(xml % "epi").replace("<ismrmrdHeader", '<!DOCTYPE a [<!ENTITY e "x">]><ismrmrdHeader'))
scan("other_group", group="scan1")


def fastmri(name, shape, mask=True, dtype="c8", **options):
    k = np.random.default_rng(1).standard_normal(shape).astype(dtype)
    k[..., 1::3] = 0
    with h5py.File(f"{folder}/scan/{name}.h5", "w") as file:
        file.create_dataset("kspace", data=k, **options)
        file["ismrmrd_header"] = xml % "cartesian"
        if mask:
            file["mask"] = (np.arange(shape[-1]) % 3 != 1).astype("f4")
        file["reconstruction_rss"] = np.zeros((shape[0], 3, 4), "f4")


fastmri("fastmri", (2, 2, 8, 6))
fastmri("fastmri_packed", (2, 8, 6), False, "c16", chunks=(1, 8, 6), compression="gzip")


def message(number, *parts):
    return struct.pack("<H", number) + b"".join(parts)


def acquisition(samples, channels, dimensions, flags=0, step=0):
    head = bytearray(340)
    struct.pack_into("<HQ", head, 0, 1, flags)
    struct.pack_into("<3H", head, 34, samples, channels, channels)
    struct.pack_into("<5Hf", head, 168, 0, 0, samples // 2, 0, dimensions, 5)
    struct.pack_into("<2H", head, 242, step, 0)
    return message(1008, bytes(head), np.linspace(-2, 2, samples * dimensions, dtype="<f4").tobytes(), np.ones(2 * samples * channels, "<f4").tobytes())


def stream(name, trajectory, *parts):
    text = (xml % trajectory).encode()
    put("stream", name, message(3, struct.pack("<I", len(text)), text) + b"".join(parts) + message(4))


stream("cartesian", "cartesian", *[acquisition(8, 2, 0, step=i) for i in range(6)])
stream("spiral", "spiral", acquisition(5, 2, 0, 1 << 18), *[acquisition(8, 2, d) for d in (2, 3, 4)], acquisition(8, 2, 2, 1 << 21))
stream("others", "cartesian", message(5, struct.pack("<I", 2), b"hi"), message(1026, struct.pack("<24x2H12x", 1, 2), bytes(8)),
       message(1030, struct.pack("<3HQ", 5, 1, 1, 3), bytes(12)), acquisition(8, 1, 0),
       message(1022, struct.pack("<2H12x3H12xH", 1, 5, 2, 2, 1, 1).ljust(198, b"\0"), bytes(8), bytes(16)))  # fmt: skip
put("stream", "config", message(1, b"default.xml".ljust(1024, b"\0")) + message(3, struct.pack("<I", 1), b"<"))


def twix():
    """Small Siemens raw files, by the writer of the tool's tests."""
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli/mrd"))
    import twix as siemens

    siemens.LEAST_HEADER = 0
    limits = "".join(f"<kspace_encoding_step_{i}><center>{c}</center></kspace_encoding_step_{i}>" for i, c in ((1, 3), (2, 0)))
    text = (xml % "cartesian").replace("</encodedSpace>", f"</encodedSpace><encodingLimits>{limits}</encodingLimits>")

    def line(step, flags=0):
        idx = dict.fromkeys("kspace_encode_step_2 average slice contrast phase repetition set segment".split(), 0)
        head = {"idx": {**idx, "kspace_encode_step_1": step, "user": [0] * 8}, "flags": flags, "number_of_samples": 8, "active_channels": 2,
                "user_int": [1] * 8, "user_float": [0] * 8, "position": [1, 2, 3], "measurement_uid": 17, "acquisition_time_stamp": 5,
                "discard_pre": 0, "discard_post": 0, "center_sample": 4, "sample_time_us": 5.0}  # fmt: skip
        return {"head": head, "data": np.ones(32, "f4")}

    lines = [line(i, (0, siemens.REVERSE)[i % 2]) for i in range(6)]
    noise = [line(i, siemens.NOISE) for i in range(2)]
    other = [line(3, siemens.CORRECTION | siemens.NAVIGATOR), line(3, siemens.NAVIGATOR), line(3, siemens.CALIBRATION)]
    ramps = {"rampUpTime": 20, "rampDownTime": 20, "flatTopTime": 20, "acqDelayTime": 10, "numSamples": 8, "dwellTime": 5}
    epi = text + "".join(f"<name>{name}</name><value>{value}</value>" for name, value in ramps.items())
    make = siemens.measurement
    put("twix", "vb", make(text, noise + lines, "VB17", "scan", sync=True))
    put("twix", "ve", siemens.table([make(epi, other + lines, "syngo MR E11", "scan")], 512))
    put("twix", "xa", siemens.table([make(text, noise, "XA30", "AdjCoilSens"), make(text, lines, "XA30", "scan", sync=True)], 512))


def two():
    """Small files of MRD version 2, by the writer of the tool's tests."""
    import two as version_two

    def line(step, dims=0):
        idx = dict.fromkeys("kspace_encode_step_2 average slice contrast phase repetition set segment".split(), 0)
        zeros = dict.fromkeys("measurement_uid scan_counter acquisition_time_stamp discard_pre discard_post encoding_space_ref".split(), 0)
        head = {"idx": {**idx, "kspace_encode_step_1": step, "user": [0] * 8}, "flags": 0, "number_of_samples": 8, "active_channels": 2, "center_sample": 4,
                "trajectory_dimensions": dims, "physiology_time_stamp": [0] * 3, "user_int": [1, -1], "user_float": [0], "sample_time_us": 5.0,
                **dict.fromkeys(version_two.DIRECTIONS.values(), np.ones(3)), **zeros}  # fmt: skip
        return {"head": head, "data": np.ones(32, "f4"), "traj": np.zeros(8 * dims, "f4")}

    text = (xml % "cartesian").replace("</encodedSpace>", "</encodedSpace><encodingLimits></encodingLimits>")
    for name, kind, trajectory, dims in (("nested", "nested", "cartesian", 0), ("flat", "flat", "spiral", 2), ("late", "late", "cartesian", 0)):
        head = text.replace("cartesian", trajectory)
        put("two", name, version_two.stream(head, [line(i, dims) for i in range(4)], kind, 3))


def bruker():
    """Small folders of ParaVision as one file each, as fuzz_scan_bruker.c takes them apart."""
    acqp = {"ACQ_sw_version": "<PV 6.0.1>", "BYTORDA": "little", "GO_raw_data_format": "GO_16BIT_SGN_INT", "GO_block_size": "continuous", "ACQ_dim": 2, "NI": 2,
            "NR": 1, "NSLICES": 2, "ACQ_size": "( 2 )\n16 6", "PULPROG": "<RARE.ppg>", "ACQ_phase_factor": 2, "ACQ_obj_order": "( 2 )\n1 0",
            "ACQ_slice_offset": "( 2 )\n-1 1", "ACQ_grad_matrix": "( 2, 3, 3 )\n@2*(1) 0 0 0 1 0 0 0 1", "ACQ_echo_time": "( 1 )\n3", "ACQ_patient_pos": "Head_Prone"}  # fmt: skip
    method = {"PVM_EncNReceivers": 2, "PVM_Matrix": "( 2 )\n4 6", "PVM_Fov": "( 2 )\n40 60", "PVM_AntiAlias": "( 2 )\n2 1", "PVM_EffSWh": 50000,
              "PVM_EncSteps1": "( 6 )\n0 1 -1 2 -2 -3"}  # fmt: skip

    def texts(change_acqp, change_method):
        both = ({**acqp, **change_acqp}, {**method, **change_method})
        return b"".join("".join(f"##${n}={v}\n" for n, v in values.items()).encode() + b"\0" for values in both)

    volume = {"ACQ_dim": 3, "ACQ_size": "( 3 )\n16 2 3", "NI": 1, "NSLICES": 1, "ACQ_obj_order": "( 1 )\n0", "GO_raw_data_format": "GO_32BIT_SGN_INT",
              "GO_block_size": "Standard_KBlock_Format", "ACQ_sw_version": "<PV-360.1>"}  # fmt: skip
    put("bruker", "rare", texts({}, {}) + b"\0" + bytes(range(256)) * 4)
    put("bruker", "volume", texts(volume, {"PVM_Matrix": "( 3 )\n4 2 3", "PVM_EncSteps1": "( 2 )\n-1 0", "PVM_EncSteps2": "( 3 )\n-1 0 1"}) + b"\0" + bytes(6 * 1024))
    job = {"ACQ_jobs": "( 1 )\n(16, 1, 1, 12, 50, 1e5, 12, 1, <job0>)", "ACQ_size": "( 2 )\n1024 1", "ACQ_phase_factor": 1, "ACQ_rare_factor": 2,
           "ACQ_sw_version": "<PV-360.3.6>", "ACQ_phase1_offset": "( 2 )\n@2*(1.5)"}  # fmt: skip
    listed = {"PVM_EncGenTotalSteps": 6, "PVM_EncGenSteps1": "( 6 )\n0 1 -1 2 -2 -3", "PVM_EncGenSteps2": "( 6 )\n@6*(0)"}
    put("bruker", "listed", texts(job, listed) + b"\0" + bytes(range(256)) * 3)
    train = {"PVM_EpiNEchoes": 3, "PVM_EpiMatrix": "( 4 )\n4 3 0 0", "PVM_EpiRampTime": 0.1, "PVM_EpiPlateau": 0.2, "PVM_EpiEchoSpacing": 0.4}
    shot = {**job, "ACQ_jobs": "( 1 )\n(28, 1, 1, 4, 50, 1e5, 4, 1, <job0>)", "PULPROG": "<EPI.ppg>", "ACQ_scan_size": "ACQ_phase_factor_scans"}
    put("bruker", "epi", texts(shot, {**listed, **train, "PVM_EpiTrajAdjkx": "( 4 )\n0 0.5 1.5 2", "PVM_EpiTrajAdjFov0": 40}) + b"\0" + bytes(range(256)) * 2)
    k = np.linspace(-0.5, 0.5, 32)
    put("bruker", "radial", texts({"PULPROG": "<UTE.ppg>"}, {}) + b"\x10" + k.tobytes() + bytes(256))
    spiral = {"PVM_SpiralSize": 6, "PVM_SpiralPreSize": 1, "PVM_SpiralPostSize": 1}
    put("bruker", "spiral", texts({"PULPROG": "<SPIRAL.ppg>"}, spiral) + b"\x0c" + k[:24].tobytes() + bytes(256))


def pulseq():
    """Small Pulseq sequences, by the writer of the tool's tests."""
    import sequence

    made = os.getcwd()
    os.makedirs(f"{folder}/sequence", exist_ok=True)
    os.chdir(f"{folder}/sequence")
    sequence.write()
    for name in os.listdir("."):
        os.remove(name) if name.endswith(".npy") else None
    os.chdir(made)


twix()
two()
bruker()
pulseq()
for i in range(4):
    put("structure", f"choices_{i}", bytes(np.random.default_rng(i).integers(0, 8 if i < 3 else 256, 250, "u1")))
put("changes", "one", bytes([0, 1, 0, 255]))
put("changes", "four", bytes(range(16)))
