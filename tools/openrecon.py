#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""openrecon.py ARGAND [--check]: writes containers/openrecon.json, the label of the OpenRecon container, from the options of argand serve. --check
compares instead. A scanner shows these parameters to its user, and sends them to the server. OpenRecon allows 14 of them, with letters and digits."""
import json
import pathlib
import subprocess
import sys

PATH = pathlib.Path(__file__).resolve().parents[1] / 'containers/openrecon.json'
# Those that a client may set: cli/serve/configure.c.
OFFERED = ('iterations', 'regularize', 'transform', 'solver', 'coils', 'compress', 'density', 'partial-fourier', 'matrix', 'image-fov', 'epi', 'part',
           'precondition', 'joint')


def english(text):
    return {'en': text}


def parameter(o):
    """Texts may be empty, which leaves the default to the server: numbers of OpenRecon always have a value."""
    one = {'id': o['name'].replace('-', ''), 'label': english(o['name']), 'information': english(o['help'][:1].upper() + o['help'][1:] + '.')}
    if o['kind'] == 'flag':
        return {**one, 'type': 'boolean', 'default': False}
    if o['kind'] in ('choice', 'set'):
        values = [{'id': c, 'name': english(c)} for c in o['choices']]
        return {**one, 'type': 'choice', 'values': values, 'default': o['default'] or o['choices'][0]}
    return {**one, 'type': 'string', 'default': ''}


def label(options, version):
    names = ('device_trade_name', 'production_identifier', 'manufacturer_address', 'made_in', 'manufacture_date', 'material_number', 'gtin', 'udi',
             'safety_advices', 'special_operating_instructions', 'additional_relevant_information')
    regulatory = dict.fromkeys(names, '')
    regulatory.update(device_trade_name='Argand', production_identifier=version, material_number=f'argand_{version}',
                      safety_advices='For research only. Not a medical product.')
    general = {'name': english('Argand'), 'version': version, 'vendor': 'argand', 'id': 'argand', 'regulatory_information': regulatory,
               'information': english('Model-based reconstruction of raw data: coils, off-resonance, EPI, any trajectory.')}
    reconstruction = {'transfer_protocol': {'protocol': 'ISMRMRD', 'version': '1.4.1'}, 'port': 9002, 'emitter': 'raw', 'injector': 'image',
                      'can_process_adjustment_data': False, 'can_use_gpu': True, 'min_count_required_gpus': 0, 'min_required_gpu_memory': 0,
                      'min_required_memory': 8192, 'min_count_required_cpu_cores': 2, 'content_qualification_type': 'RESEARCH'}
    return {'general': general, 'reconstruction': reconstruction, 'parameters': [parameter(options[name]) for name in OFFERED]}


def text(tool):
    table = json.loads(subprocess.run([tool, 'help', '--json', 'serve'], check=True, capture_output=True, text=True).stdout)
    version = subprocess.run([tool, '--version'], check=True, capture_output=True, text=True).stdout.split()[1].strip(',')
    return json.dumps(label({o['name']: o for o in table['options']}, version), indent=2) + '\n'


if __name__ == '__main__':
    made = text(sys.argv[1])
    if '--check' not in sys.argv:
        PATH.write_text(made, encoding='utf-8')
    elif PATH.read_text(encoding='utf-8') != made:
        sys.exit(f'{PATH} is not what the options of argand serve make: run tools/openrecon.py ARGAND')
