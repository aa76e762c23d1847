# SPDX-License-Identifier: BSD-3-Clause
"""mapscan.py OUT.h5 [SLICES]: a tiny ISMRMRD scan, coronal, whose arrays FieldMap {6, 5[, slices]} and SENSEMap {6, 5, 4 coils}
(one slice) count upwards; made with h5py, so that our reader and its orientation are held against another's layout."""
import sys

import h5py
import numpy as np

path, slices = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1
index = np.dtype([(name, "<u2") for name in ("kspace_encode_step_1", "kspace_encode_step_2", "average", "slice", "contrast", "phase",
                                             "repetition", "set", "segment")] + [("user", "<u2", 8)])
head = np.dtype([("version", "<u2"), ("flags", "<u8"), ("measurement_uid", "<u4"), ("scan_counter", "<u4"),
                 ("acquisition_time_stamp", "<u4"), ("physiology_time_stamp", "<u4", 3), ("number_of_samples", "<u2"),
                 ("available_channels", "<u2"), ("active_channels", "<u2"), ("channel_mask", "<u8", 16), ("discard_pre", "<u2"),
                 ("discard_post", "<u2"), ("center_sample", "<u2"), ("encoding_space_ref", "<u2"), ("trajectory_dimensions", "<u2"),
                 ("sample_time_us", "<f4"), ("position", "<f4", 3), ("read_dir", "<f4", 3), ("phase_dir", "<f4", 3),
                 ("slice_dir", "<f4", 3), ("patient_table_position", "<f4", 3), ("idx", index), ("user_int", "<i4", 8),
                 ("user_float", "<f4", 8)])
vlen = h5py.special_dtype(vlen=np.dtype("<f4"))
rows = np.zeros(slices, np.dtype([("head", head), ("traj", vlen), ("data", vlen)]))
for n in range(slices):
    row = rows["head"][n]
    row["version"], row["number_of_samples"], row["available_channels"], row["active_channels"] = 1, 8, 4, 4
    row["center_sample"], row["trajectory_dimensions"], row["sample_time_us"] = 4, 2, 5
    row["read_dir"], row["phase_dir"], row["slice_dir"] = (1, 0, 0), (0, 0, -1), (0, 1, 0)
    row["position"] = (10, 20 + 7 * n, 30)  # 7 mm from slice to slice, though they are 4 mm thick
    row["idx"]["slice"] = n
    rows["head"][n] = row
    rows["traj"][n] = np.linspace(-2, 2, 16, dtype="<f4")
    rows["data"][n] = np.arange(64, dtype="<f4")
space = "<matrixSize><x>6</x><y>5</y><z>1</z></matrixSize><fieldOfView_mm><x>12</x><y>15</y><z>4</z></fieldOfView_mm>"
xml = ('<?xml version="1.0"?><ismrmrdHeader xmlns="http://www.ismrm.org/ISMRMRD"><experimentalConditions>'
       "<H1resonanceFrequency_Hz>127000000</H1resonanceFrequency_Hz></experimentalConditions><encoding>"
       f"<encodedSpace>{space}</encodedSpace><reconSpace>{space}</reconSpace><encodingLimits></encodingLimits>"
       "<trajectory>spiral</trajectory></encoding></ismrmrdHeader>")
with h5py.File(path, "w") as file:
    group = file.create_group("dataset")
    group.create_dataset("xml", data=np.array([xml.encode()], dtype=object), dtype=h5py.special_dtype(vlen=bytes))
    group.create_dataset("data", data=rows, maxshape=(None,))
    shape = (slices, 5, 6) if slices > 1 else (5, 6)
    group.create_dataset("FieldMap", data=np.arange(30 * slices, dtype="<f4").reshape((1,) + shape))
    if slices == 1:
        complex_type = np.dtype([("real", "<f4"), ("imag", "<f4")])
        maps = np.zeros((1, 4, 5, 6), complex_type)
        maps["real"] = np.arange(120).reshape(maps.shape)
        group.create_dataset("SENSEMap", data=maps)
