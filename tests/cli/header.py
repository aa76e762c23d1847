# SPDX-License-Identifier: BSD-3-Clause
"""header.py fill SCAN.h5: its header gets what a scanner's has, of every element that the format's schema knows, and one that it does not.
header.py check BEFORE.h5 AFTER.h5: what AFTER's header says is what BEFORE's does, read by the Python package of the format, in the
schema's order; but for what the written data are another way now: the trajectory's unit, the order of arrays."""
import dataclasses, re, sys, xml.etree.ElementTree
import h5py, ismrmrd.xsd
from ismrmrd.xsd.ismrmrdschema import ismrmrd as schema

VENDOR = '<protocolTree xmlns="urn:a-vendor" xmlns:v="urn:values" v:depth="2"><node>TR &amp; TE</node></protocolTree>'


def text(path):
    with h5py.File(path, "r") as file:
        found = file["dataset/xml"][0]
    return found.decode() if isinstance(found, bytes) else found


def parse(path):
    return ismrmrd.xsd.CreateFromDocument(re.sub("<(ns\\d*:|)protocolTree.*?</(ns\\d*:|)protocolTree>", "", text(path), flags=re.S))


def fill(path):
    h = parse(path)
    h.version = 2
    h.subjectInformation = schema.subjectInformationType(patientName="A & B", patientWeight_kg=71.25, patientGender="O")
    h.studyInformation = schema.studyInformationType(studyID="7", studyDescription="brain <old>")
    m = h.measurementInformation = schema.measurementInformationType(patientPosition="HFS", protocolName="spokes")
    m.measurementID, m.sequenceName, m.seriesDescription, m.initialSeriesNumber = "45_6", "fl2d", "noon", 3
    m.relativeTablePosition = schema.threeDimensionalFloat(x=1.5, y=0, z=-2.25)
    m.measurementDependency = [schema.measurementDependencyType(dependencyType="noise", measurementID=str(i)) for i in range(2)]
    a = h.acquisitionSystemInformation
    a.systemVendor, a.systemModel, a.institutionName, a.stationName, a.deviceID = "Maker", "Model 3", "A hospital", "MR2", "d"
    a.coilLabel = [schema.coilLabelType(coilNumber=i, coilName=f"H{i}:1") for i in range(a.receiverChannels)]
    h.experimentalConditions.H1resonanceFrequency_Hz = 123259993
    e = h.encoding[0]
    e.encodingLimits.kspace_encoding_step_0 = schema.limitType(minimum=0, maximum=79, center=40)
    e.encodingLimits.user_5 = schema.limitType(minimum=0, maximum=2, center=1)
    e.trajectoryDescription.userParameterLong = [schema.userParameterLongType(name="interleaves", value=12)]
    e.trajectoryDescription.userParameterDouble = [schema.userParameterDoubleType(name="slew", value=14414.25)]
    e.echoTrainLength = 4
    s = h.sequenceParameters
    s.TR, s.TE, s.TI, s.flipAngle_deg = [12.5, 13], [4.6], [900.1], [15.0, 30.0]
    s.sequence_type, s.echo_spacing = "Flash", [0.7]
    h.userParameters.userParameterString += [schema.userParameterStringType(name="lock", value="<on>")]
    h.userParameters.userParameterLong = [schema.userParameterLongType(name="n", value=-4)]
    h.waveformInformation = [schema.waveformInformationType(waveformName="ECG", waveformType="ecg", userParameters=schema.userParametersType())]
    header = ismrmrd.xsd.ToXML(h).replace("</ismrmrdHeader>", VENDOR + "</ismrmrdHeader>")
    assert VENDOR in header
    with h5py.File(path, "r+") as file:
        file["dataset/xml"][0] = header


def leaves(node, where=""):
    """(path, value) of all that is said, lists one by one, in the order of the schema."""
    if dataclasses.is_dataclass(node):
        for field in dataclasses.fields(node):
            yield from leaves(getattr(node, field.name), f"{where}/{field.name}")
    elif isinstance(node, list):
        for i, item in enumerate(node):
            yield from leaves(item, f"{where}[{i}]")
    elif node is not None:
        yield where, getattr(node, "value", node)


def ordered(element, node):
    """All children of elements are in the schema's order, unknown ones behind."""
    fields = {field.metadata.get("name", field.name): getattr(node, field.name) for field in dataclasses.fields(node)}
    tags = [re.sub("{.*}", "", child.tag) for child in element]
    places = [[*fields].index(tag) if tag in fields else 99 for tag in tags]
    assert places == sorted(places), tags
    for name, value in fields.items():
        found = [child for child, tag in zip(element, tags) if tag == name]
        for child, part in zip(found, value if isinstance(value, list) else [value]):
            if dataclasses.is_dataclass(part):
                ordered(child, part)


def check(before, after):
    ours = re.compile("trajectoryDescription/(identifier|comment)")
    old, new = ({path: value for path, value in leaves(parse(name)) if not ours.search(path)} for name in (before, after))
    missing = {path: (value, new.get(path)) for path, value in old.items() if new.get(path) != value}
    assert not missing, missing
    assert set(new) == set(old), set(new) - set(old)
    assert len(old) > 70, len(old)
    ordered(xml.etree.ElementTree.fromstring(text(after)), parse(after))
    assert re.search('<protocolTree xmlns="urn:a-vendor".* v:depth="2">\\s*<node>TR &amp; TE</node>', text(after)), text(after)


fill(*sys.argv[2:]) if sys.argv[1] == "fill" else check(*sys.argv[2:])
