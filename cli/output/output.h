/* SPDX-License-Identifier: BSD-3-Clause */
/* What a reconstructing command writes: images, picture, convergence, sidecars, report. A command creates an
 * output for its session, puts volumes and steps into it, and lets it write everything or nothing:
 *   output.c     begin, put, write, end
 *   volume.c     what is known of each volume; sums of all volumes
 *   blob.c       a finished volume as bytes, for a file or another process
 *   state.c      what it has been told, which files are complete
 *   part.c       parts of an image, and the names of their files
 *   place.c      which file, slice and repetition a volume is, and where its slices lie
 *   files.c      image files, a part each; picture; convergence
 *   sidecar.c    the JSON sidecar of each image; header_elements.c finds elements of the scan's header for it
 *   dicom.c      images as DICOM
 *   bids.c       names in a folder of BIDS derivatives; bids.h
 *   ismrmrd.c    all images as one ISMRMRD file; stream.c as messages for a pipe
 *   report.c     the HTML report; maps.c finds the maps that it shows */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <argand/epi.h>

#include "common/bytes.h"
#include "common/command.h"
#include "common/report.h"
#include "mrd/mrd.h"

/* Bits of output_settings.parts, in the order of OUTPUT_OPTIONS. */
enum {
    OUTPUT_MAGNITUDE = 1,
    OUTPUT_PHASE = 2,
    OUTPUT_REAL = 4,
    OUTPUT_IMAGINARY = 8,
    OUTPUT_COMPLEX = 16,
    OUTPUT_PARTS = 5
};

/* Real maps next to an image; as parts, they are OUTPUT_PARTS + OUTPUT_NOISE, ... */
enum { OUTPUT_NOISE, OUTPUT_GFACTOR, OUTPUT_PIXEL_MAPS };

/* Values of output_settings.dicom, in the order of OUTPUT_OPTIONS. */
enum { OUTPUT_DICOM_AUTO, OUTPUT_DICOM_ENHANCED, OUTPUT_DICOM_CLASSIC };

typedef struct output_settings {
    const char *save_maps; /* coil maps are also written to this file; NULL: not */
    const char *path;      /* OUT.nii.gz, set from the command's arguments; "-" or a pipe: a stream */
    int parts;             /* bits; 0: magnitude */
    int dicom;             /* kind of OUT.dcm: OUTPUT_DICOM_AUTO, ... */
    const char *report;    /* NULL: no report; "": OUT.html; otherwise its name */
    const char *bids;      /* folder of BIDS derivatives, in place of a path; NULL: none */
    const char *bids_name; /* parts of the name there; NULL: all from the scan. bids_find sets from both: */
    char bids_path[4200], bids_task[64];
    const char *bids_suffix;
} output_settings;

#define OUTPUT_OPTIONS(o)                                                                                 \
    set_option("part", 0, &(o).parts, "A[,B...]", "magnitude|phase|real|imaginary|complex",               \
               "write these parts of the image (magnitude), a file each"),                                \
        choice_option("dicom", 0, &(o).dicom, "KIND", "auto|enhanced|classic",                            \
                      "kind of DICOM that OUT.dcm is. enhanced: one file; classic: a folder OUT with a "  \
                      "file for each slice. auto: enhanced"),                                             \
        text_option_or("report", 0, &(o).report, "[FILE.html]", "", ".html",                              \
                       "also write a report as one HTML file, readable offline. Default name: OUT.html"), \
        text_option("save-maps", 0, &(o).save_maps, "FILE",                                               \
                    "also write the coil maps in use to FILE (.nii.gz, .npy, .cfl), for a later "         \
                    "--coil-maps"),                                                                       \
        text_option("bids", 0, &(o).bids, "FOLDER",                                                       \
                    "write images and sidecars with BIDS's names into FOLDER, a derivative dataset, in "  \
                    "place of OUT"),                                                                      \
        text_option("bids-name", 0, &(o).bids_name, "NAME",                                               \
                    "parts of the names with --bids, such as sub-01_ses-2_task-rest_bold. Default: "      \
                    "subject and session from the header's patientID and studyID, the task from its "     \
                    "protocol, the suffix from the kind of scan")

/* Facts that the command gives; all pointers must outlive the output. */
typedef struct output_run {
    const char *command; /* "sense" */
    const output_settings *settings;
    const char *input;
    bool is_double;
    int iterations; /* maximum for each volume */
    argand_device *device;
    const argand_scan *scan;
    argand_sense *session;
    bool sum_of_squares; /* coils are combined by the root of the sum of squares: no coil maps */
    bool pixel_maps[OUTPUT_PIXEL_MAPS]; /* those that each image has */
    bool apart;       /* volumes leave this process by output_pack: only the last one is kept in memory */
    const char *mark; /* identifies scan and options in the sidecar; NULL: none */
    mrd_sink *stream; /* prepared for settings->path; NULL: files are written */
    int64_t ghosts;   /* estimates of EPI's reversed lines */
    const argand_epi_estimate *ghost;
    report *console; /* its notes and stages are repeated in sidecar and report */
} output_run;

typedef struct output_fact {
    char name[48], value[464];
    bool is_number;
} output_fact;

/* A map in the report. */
typedef struct output_map {
    const char *title, *unit, *volume_name;
    argand_array *array;
} output_map;

/* A line of the convergence table. */
typedef struct output_step {
    int volume;
    argand_progress progress;
} output_step;

/* A finished volume: what the session said of it. All of it travels in its blob. */
typedef struct output_volume {
    bool done;
    argand_sense_info info; /* its texts are these: */
    char transform[24], interpolator[24], solver[24], density[24], stop[24];
    int64_t step_count, step_capacity;
    argand_progress *steps;
    double energy, residual; /* |image|^2; the residual of the iteration that was written */
    char *notes;             /* lines that the session added during this volume; NULL: none */
} output_volume;

/* An image: the volumes that differ only in slice and repetition. Each part of it is a file. */
typedef struct output_image {
    argand_counters counters; /* of the first volume */
    int64_t slices, repetitions;
    argand_geometry geometry;
    bool uneven;    /* the distances between slices differ */
    char label[96]; /* "_contrast-2": the counters that differ between images, counted from 1 as in BIDS */
    argand_array *array;                        /* complex {nx, ny, nz or slices, repetitions} */
    argand_array *pixel_map[OUTPUT_PIXEL_MAPS]; /* real, same dimensions; NULL: none */
} output_image;

/* Image, slice and repetition of a volume. */
typedef struct output_place {
    int image;
    int64_t slice, repetition;
} output_place;

enum { OUTPUT_FACTS = 48, OUTPUT_MAPS = 16 };

typedef struct output {
    output_run run;
    int image_count;
    output_image *images;
    output_place *places;   /* of each volume */
    output_volume *volumes; /* of each volume */
    int last_stepped;       /* the volume of the last step; it may have been solved with others */
    size_t notes_heard;     /* number of characters of the session's notes that are in `notes` */
    char *notes;            /* the session's, then those of the volumes, each line once */
    size_t first_notes;     /* number of characters of those before the first volume */
    /* Set by output_total from all volumes: */
    output_step *steps;
    int64_t step_count;
    int fact_count, map_count;
    output_fact facts[OUTPUT_FACTS];
    output_map maps[OUTPUT_MAPS];
    int segments, shots; /* maxima of all volumes so far */
    double segment_error, density_power;
    const char *density;
    const char *stop; /* reason why the last volume's iterations ended; NULL: unknown */
    int stopped_first,
        stopped_last; /* of all volumes: lowest and highest number of the iteration that was written */
    /* Averages over all volumes, weighted by the energy of each image: slices beyond the object count
     * little. */
    double noise, residual;
    double energy, noise_energy, misfit;
    const char *interpolator;
    double seconds;
    argand_array **coil_maps; /* of each slice of the first image, if they are saved; NULL: not yet */
    char (*written)[4200];    /* files that are complete */
    int written_count;
} output;

/* Returns an error if the files cannot be written. Call this before computing. */
argand_status output_check(const output_settings *settings);
/* Allocates the arrays of all volumes of the session. Zero the output first. Call output_end also after a
 * failure. */
argand_status output_begin(output *o, const output_run *run);
void output_end(output *o);
/* Adds an option or a result to sidecar and report: a text, or a number (then a JSON number). */
void output_text(output *o, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));
void output_number(output *o, const char *name, double value);
/* Gives a map {nx, ny, slices, volumes} to the report. The output owns the array from now on. volume_name:
 * "coil". */
void output_take_map(output *o, const char *title, const char *unit, const char *volume_name,
                     argand_array *array);
/* Finds a map for the report, if a report is wanted: the map that an option names, or the scan's array of
 * the usual name. Without such a map, nothing is added. */
argand_status output_find_map(output *o, const char *from, const char *usual, const char *title,
                              const char *unit, double scale);
argand_status output_coil_maps(output *o);
argand_status output_phase_maps(output *o);
bool output_wants_report(const output *o);
/* Returns the final residual of all volumes, weighted by the energy of each image; 0 without iterations. */
double output_residual(const output *o);
void output_step_done(output *o, int volume, const argand_progress *progress);
/* Prints the session's notes that are new since the last call and records them for this volume. */
argand_status output_hear(output *o, int volume);
/* Stores a reconstructed complex volume {nx, ny, nz} and what the session says of it. */
argand_status output_put(output *o, int volume, const argand_array *image);
/* Stores the standard deviation or g-factor of a volume's pixels, real {nx, ny, nz}. */
argand_status output_put_pixel_map(output *o, int volume, int which, const argand_array *map);
/* Stores the coil maps of the volume that was run last, if maps are saved and it is the first of its
 * slice. */
argand_status output_keep_maps(output *o, int volume);
/* Returns what the session said of the last volume, wherever that was run. Its texts are valid until
 * output_end. */
argand_sense_info output_info(const output *o);

/* blob.c: a finished volume (image, pixel maps, coil maps to save, info, steps, notes) as bytes that another
 * process of the same program on the same kind of machine can take. label: a text that must be equal on both
 * sides; NULL means "". output_pack appends to zeroed or used bytes; call it before the next output_put if
 * `apart`. */
argand_status output_pack(const output *o, int volume, const char *label, byte_buffer *to);
/* Takes a volume from bytes, as if it had been run here. name: the file, for messages. ARGAND_FORMAT: no blob
 * of this version, damaged, or of another session. ARGAND_ARGUMENT: another label; *found is then a copy of
 * it, which the caller frees (found may be NULL). After a failure the volume counts as missing. */
argand_status output_unpack(output *o, const char *name, const void *data, size_t size, const char *label,
                            int *volume, char **found);
/* Examines bytes as output_unpack does, without taking the volume. */
argand_status output_examine(const output *o, const char *name, const void *data, size_t size,
                             const char *label, int *volume, char **found);
/* Writes all files or none: no file takes its final name before all are complete. Notes name the files. */
argand_status output_write(output *o);

/* ---- functions that the files named above share */

/* Adds up steps, notes and averages of all finished volumes in their order, so that the result does not
 * depend on which process ran which volume when. */
argand_status output_total(output *o);
/* Adds lines to a list of notes unless it holds them, and prints those added. console NULL: prints
 * nothing. */
argand_status output_add_notes(char **notes, const char *lines, report *console);
/* Returns true if a volume's coil maps are saved: the first of each slice of the first image. */
bool output_saves_maps(const output *o, int volume);
/* Finds the images and the places of volumes, without the images' arrays. */
argand_status output_arrange(output *o);
void output_sidecar_path(char *path, size_t size, const output *o, const char *ending);
int output_parts(const output *o);
/* Writes the file name of an image's part (0 to OUTPUT_PARTS - 1), or with another ending that of one of
 * its sidecars. */
void output_name(char *path, size_t size, const output *o, int image, int part, const char *ending);
/* Creates a real array of a part; for the complex part, a view of the image. */
argand_status output_part_of(argand_array **array, const output *o, const argand_array *image, int part);
argand_status output_files(output *o);
argand_status output_saved_maps(output *o);
argand_status output_sidecars(output *o);
argand_status output_report(output *o);
/* Remembers a file as complete if the status is OK, and returns the status. */
argand_status output_note_file(output *o, const char *path, argand_status status);
/* Creates a view of a volume's elements in an image, or in an array of the image's shape. */
argand_status output_volume_place(argand_array **place, const output *o, int volume,
                                  const argand_array *whole);
const char *output_part_name(int part); /* "magnitude", ..., "noise", "gfactor" */
/* Returns the array of an image that a part is made of. */
const argand_array *output_array_of(const output_image *image, int part);
void output_device(const output *o, char *text, size_t size); /* "NVIDIA H200 (cuda)" */

/* ismrmrd.c: writes images of all volumes and parts to OUT.h5. An existing file is never replaced, because
 * it may be a scan. */
bool output_is_ismrmrd(const output_settings *s);
argand_status output_check_ismrmrd(const output_settings *s);
argand_status output_ismrmrd(output *o);
/* dicom.c: writes an image, of a part or (from OUTPUT_PARTS on) a map, as DICOM. The checks are made before
 * computing: of what is written, and of where the images lie. Notes the file, or the folder of slices. */
argand_status output_check_dicom(const output_settings *s);
argand_status output_check_places(const output *o);
argand_status output_dicom(output *o, const char *path, int image, int part, const argand_array *numbers);
/* Notes what the header lacks for DICOM. */
void output_note_dicom(const output *o);
/* stream.c: writes images of all volumes and parts to the prepared stream. */
argand_status output_check_stream(const output_settings *s);
argand_status output_stream(output *o);
/* Returns the head of a volume's image, without part and series. */
argand_scan_image output_scan_image(const argand_scan *scan, const argand_sense *session, int volume);
/* Returns the ISMRMRD attribute string of a part. */
const char *output_attributes(int part);
#define OUTPUT_ATTRIBUTES(role)                                                                       \
    "<?xml version=\"1.0\"?>\n<ismrmrdMeta><meta><name>DataRole</name><value>" role "</value></meta>" \
    "<meta><name>ImageProcessingHistory</name><value>Argand</value></meta></ismrmrdMeta>\n"

/* header_elements.c: finds the text of the first element of this local name in the scan's header. Returns
 * false if there is none. */
bool scan_element(const argand_scan *scan, const char *element, char *text, size_t size);
/* Does the same for a number. */
bool scan_number(const argand_scan *scan, const char *element, double *number);

#endif
