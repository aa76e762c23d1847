#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Processor time of each test, which other work on the machine does not change much: tools/test_times.py BUILD [ctest's arguments].

    tools/test_times.py build/release -LE more             the first tier: a sum for each group, and the forty slowest
    tools/test_times.py build/release -R '^cli/' --all     every test of a folder

A test's time is user and system time of all of its processes. Tests run one after another, in ctest's order of fixtures.
"""
import json
import os
import subprocess
import sys
import tempfile


def tests_of(build, arguments):
    listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1", *arguments], check=True, capture_output=True, text=True)
    return json.loads(listed.stdout)["tests"]


def environment(properties):
    """The test's environment: ctest's ENVIRONMENT has NAME=VALUE, its ENVIRONMENT_MODIFICATION NAME=OPERATION:VALUE."""
    variables = dict(os.environ)
    variables.update(pair.split("=", 1) for pair in properties.get("ENVIRONMENT", []))
    for change in properties.get("ENVIRONMENT_MODIFICATION", []):
        name, _, rest = change.partition("=")
        operation, _, value = rest.partition(":")
        old = variables.get(name, "")
        joined = {"string_append": old + value, "path_list_prepend": value + (":" + old if old else "")}
        if operation in ("unset", "reset"):
            variables.pop(name, None)
        else:
            variables[name] = joined.get(operation, value)
    return variables


def seconds_of(test):
    """Processor time of one test, and its exit status."""
    properties = {p["name"]: p["value"] for p in test.get("properties", [])}
    with tempfile.TemporaryFile() as output:
        started = subprocess.Popen(test["command"], env=environment(properties), cwd=properties.get("WORKING_DIRECTORY"),
                                   stdout=output, stderr=output, stdin=subprocess.DEVNULL)
        _, status, used = os.wait4(started.pid, 0)
        started.returncode = os.waitstatus_to_exitcode(status)
    skipped = started.returncode == properties.get("SKIP_RETURN_CODE")
    return used.ru_utime + used.ru_stime, "skipped" if skipped else started.returncode


def group_of(name):
    first, _, rest = name.partition("/")
    return f"{first}/{rest.split('_')[0]}" if first in ("cpu", "opencl", "cuda") else first


def main():
    arguments = [a for a in sys.argv[2:] if a != "--all"]
    everything = len(arguments) < len(sys.argv) - 2
    tests = tests_of(sys.argv[1], arguments)
    tests.sort(key=lambda test: not any(p["name"] == "FIXTURES_SETUP" for p in test.get("properties", [])))
    times, groups = [], {}
    for test in tests:
        seconds, status = seconds_of(test)
        times.append((seconds, test["name"], status))
        count, total = groups.get(group_of(test["name"]), (0, 0))
        groups[group_of(test["name"])] = count + 1, total + seconds
        print(f"{seconds:8.2f} s  {test['name']}  {status}", file=sys.stderr, flush=True)
    for group, (count, total) in sorted(groups.items(), key=lambda item: -item[1][1]):
        print(f"{total:8.1f} s  {count:4d}  {group}")
    print(f"{sum(seconds for seconds, _, _ in times):8.1f} s  {len(times):4d}  together")
    for seconds, name, status in sorted(times, reverse=True)[:None if everything else 40]:
        print(f"{seconds:8.2f} s  {name}" + ("" if status == 0 else f"  ({status})"))


if __name__ == "__main__":
    main()
