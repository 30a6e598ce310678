#!/usr/bin/env python3
"""Times subprocess.run() inside a running interpreter: one command for each line on stdin.

A line is a JSON array, the argv; the answer is the time in nanoseconds.
"""

import json
import subprocess
import sys
import time

for line in sys.stdin:
    argv = json.loads(line)
    started = time.perf_counter_ns()
    subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, check=True)
    print(time.perf_counter_ns() - started, flush=True)
