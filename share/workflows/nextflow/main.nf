// SPDX-License-Identifier: BSD-3-Clause
// Reconstructs each scan of a folder: nextflow run main.nf --study STUDY --images IMAGES
//   --options '--iterations 15'   for argand sense
//   --container argand            with -with-docker, -with-podman or -with-apptainer (containers/cpu.Containerfile makes one)
// On a cluster: -process.executor slurm
nextflow.enable.dsl = 2

params.study = 'study'
params.images = 'images'
params.options = ''
params.container = 'argand'

process sense {
    tag "${scan.baseName}"
    container params.container
    cpus 4
    memory '8 GB'
    publishDir params.images, mode: 'copy'

    input:
    path scan

    output:
    path "${scan.baseName}*"

    script:
    """
    argand sense ${scan} '${scan.baseName}.nii.gz' --threads ${task.cpus} --quiet ${params.options}
    """
}

workflow {
    sense(Channel.fromPath("${params.study}/*.h5"))
}
