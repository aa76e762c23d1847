# SPDX-License-Identifier: BSD-3-Clause
"""images.py OUT.h5 OUT.nii.gz SCAN.h5 PARTS: the images of OUT.h5, read with the ismrmrd package, are those of the NIfTI files
(OUT_contrast-1_part-mag.nii.gz, ...) of the same reconstruction, bit for bit, and each pixel lies where NIfTI's affine says."""
import sys
import ismrmrd, nibabel, numpy as np

out, nifti, scan, parts = sys.argv[1:5]
LABELS = {"magnitude": ("part-mag", ismrmrd.IMTYPE_MAGNITUDE, np.float32), "phase": ("part-phase", ismrmrd.IMTYPE_PHASE, np.float32),
          "real": ("part-real", ismrmrd.IMTYPE_REAL, np.float32), "imaginary": ("part-imag", ismrmrd.IMTYPE_IMAG, np.float32),
          "complex": ("part-complex", ismrmrd.IMTYPE_COMPLEX, np.complex64)}
ORDER = list(LABELS)
parts = parts.split(",")
file = ismrmrd.Dataset(out, "dataset", create_if_needed=False)
raw = ismrmrd.Dataset(scan, "dataset", mode="r")
header = ismrmrd.xsd.CreateFromDocument(file.read_xml_header())
assert header.encoding[0].encodedSpace.matrixSize.x == ismrmrd.xsd.CreateFromDocument(raw.read_xml_header()).encoding[0].encodedSpace.matrixSize.x
acquisitions = [raw.read_acquisition(i) for i in range(raw.number_of_acquisitions())]
acquisitions = [a for a in acquisitions if not a.is_flag_set(ismrmrd.ACQ_IS_NOISE_MEASUREMENT)]
volumes = sorted({(a.idx.contrast, a.idx.repetition, a.idx.slice) for a in acquisitions})
several = len({v[0] for v in volumes}) > 1
to_ras = np.diag([-1.0, -1.0, 1.0])
assert sorted(k for k in file.list() if k.startswith("image_")) == sorted(f"image_{ORDER.index(p) + 1}" for p in parts)
for part in parts:
    label, kind, dtype = LABELS[part]
    series = f"image_{ORDER.index(part) + 1}"
    assert file.number_of_images(series) == len(volumes)
    for i, (contrast, repetition, slice_) in enumerate(volumes):
        image = file.read_image(series, i)
        stem = nifti[:-7] + (f"_contrast-{contrast + 1}" if several else "") + (f"_{label}" if len(parts) > 1 else "")
        truth = nibabel.load(stem + ".nii.gz")
        data = np.asarray(truth.dataobj).reshape(*truth.shape, *[1] * (4 - len(truth.shape)))
        first = next(a for a in acquisitions if (a.idx.contrast, a.idx.repetition, a.idx.slice) == (contrast, repetition, slice_))
        assert (image.contrast, image.repetition, image.slice, image.set) == (contrast, repetition, slice_, 0)
        assert image.image_type == kind and image.image_index == i + 1 and image.image_series_index == ORDER.index(part) + 1
        assert image.acquisition_time_stamp == first.acquisition_time_stamp and image.channels == 1
        assert "Argand" in image.attribute_string and image.data.dtype == dtype, image.data.dtype
        n = image.data.shape[:0:-1]  # x, y, z
        assert list(image.getHead().matrix_size) == list(n)
        assert list(image.position) == list(first.position) and list(image.read_dir) == list(first.read_dir)
        assert list(image.phase_dir) == list(first.phase_dir) and list(image.slice_dir) == list(first.slice_dir)
        # where pixels lie, in LPS: position is that of the centre pixel floor(n/2)
        voxel = np.array(image.field_of_view) / n
        axes = np.array([image.read_dir, image.phase_dir, image.slice_dir]).T * voxel
        corner = np.array(image.position) - axes @ [m // 2 for m in n]
        at = np.linalg.inv(truth.affine) @ np.append(to_ras @ corner, 1)
        z = int(round(at[2])) if n[2] == 1 else 0
        assert np.allclose(at[:3], [0, 0, z], atol=1e-3), at
        assert np.allclose(truth.affine[:3, :2], (to_ras @ axes)[:, :2], atol=1e-4)
        shown = data[:, :, z:z + n[2], min(repetition, data.shape[3] - 1)]
        assert np.array_equal(image.data[0].transpose(2, 1, 0), shown), (part, i)
print(len(volumes), "volumes of", len(parts), "parts")
