"""Runs a Python reference for the measurer: imports PyTorch once, forks a fresh process for each trial.

Started by forge-worker, never by hand. Protocol: docs/formats/runner-protocol.md. The reference
defines

    def run(inputs, outputs, scalars, dims): ...

and writes its results into the tensors of `outputs` (which holds in-outs too); `inputs` holds the
read-only tensors, None for an optional one that is left out. All are views of shared memory.
"""

import argparse
import array
import ctypes
import importlib.util
import json
import mmap
import os
import platform
import signal
import socket
import sys
import time
import traceback
import warnings

MAGIC = 0x464B5231
PHASE_SERVING = 4
FAILURE_LOAD = 4
PAGE = 4096

# Offsets into the pages of runner_protocol.h, in 32-bit words.
COMMAND_ARMED = 64 // 4
COMMAND_ENTRY = 128 // 4
COMMAND_GO = COMMAND_ENTRY + 1
STATUS_MAGIC = 0
STATUS_PHASE = 1
STATUS_FAILURE = 2
STATUS_READY = 64 // 4
STATUS_DONE = 128 // 4
STATUS_LAUNCH_RESULT = 192 // 4
STATUS_TEXT_BYTES = 256
STATUS_TEXT_SIZE = 512

MAP_POPULATE = 0x8000


def load_module(path):
    spec = importlib.util.spec_from_file_location("forge_user_reference", path)
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    spec.loader.exec_module(module)
    if not callable(getattr(module, "run", None)):
        raise AttributeError(f"{os.path.basename(path)} defines no function run(inputs, outputs, scalars, dims)")
    return module


def map_arena(fd, size, writable):
    if size == 0:
        return None
    protection = mmap.PROT_READ | (mmap.PROT_WRITE if writable else 0)
    return mmap.mmap(fd, size, flags=mmap.MAP_SHARED | MAP_POPULATE, prot=protection)


def tensor_view(torch, arenas, spec):
    dtype = getattr(torch, TORCH_DTYPES[spec["dtype"]])
    shape, strides = spec["shape"], spec["strides"]
    elements = 1 + sum((n - 1) * s for n, s in zip(shape, strides))
    if any(n == 0 for n in shape):
        return torch.empty(shape, dtype=dtype)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the inputs are meant to be read-only
        flat = torch.frombuffer(arenas[spec["region"]], dtype=dtype, count=elements, offset=spec["offset"])
    return flat.as_strided(shape, strides)


TORCH_DTYPES = {
    "f64": "float64", "f32": "float32", "f16": "float16", "bf16": "bfloat16",
    "f8_e4m3": "float8_e4m3fn", "f8_e5m2": "float8_e5m2",
    "i64": "int64", "i32": "int32", "i16": "int16", "i8": "int8", "u8": "uint8", "bool": "bool",
}


def build_calls(torch, setup, names, arenas):
    """One tuple of arguments for each entry of the Args table."""
    calls = []
    for entry in setup["entries"]:
        inputs = {name: None for name in names["inputs"]}
        outputs = {name: None for name in names["outputs"]}
        for spec in entry["tensors"]:
            side = outputs if spec["writable"] else inputs
            side[spec["name"]] = tensor_view(torch, arenas, spec)
        calls.append((inputs, outputs, entry["scalars"], setup["dims"][entry["shape"]]))
    return calls


def serve(run, calls, command, status):
    """Spins for calls; the measurer stops this process whenever another arm's turn comes."""
    last = 0
    status[STATUS_PHASE] = PHASE_SERVING
    while True:
        go = command[COMMAND_GO]
        if go != last:
            last = go
            run(*calls[command[COMMAND_ENTRY]])
            status[STATUS_DONE] = go
        else:
            status[STATUS_READY] = command[COMMAND_ARMED]


def trial(torch, options, setup, fds, measurer_pid):
    """The forked process: becomes the measurer's child, maps the memory, serves until killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while os.getppid() != measurer_pid:
        time.sleep(0.0002)
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    command_fd, status_fd, inputs_fd, outputs_fd = fds
    status_page = mmap.mmap(status_fd, PAGE)
    status = memoryview(status_page).cast("I")
    status[STATUS_MAGIC] = MAGIC
    try:
        command = memoryview(mmap.mmap(command_fd, PAGE, prot=mmap.PROT_READ)).cast("I")
        arenas = [map_arena(inputs_fd, setup["inputs_bytes"], False),
                  map_arena(outputs_fd, setup["outputs_bytes"], True)]
        torch.set_num_threads(options.threads)
        module = load_module(options.source)
        calls = build_calls(torch, setup, json.loads(options.names), arenas)
        with torch.no_grad():
            serve(module.run, calls, command, status)
    except BaseException as error:
        traceback.print_exc()
        text = f"{type(error).__name__}: {error}".encode(errors="replace")[: STATUS_TEXT_SIZE - 1]
        status_page[STATUS_TEXT_BYTES : STATUS_TEXT_BYTES + len(text)] = text
        status[STATUS_FAILURE] = FAILURE_LOAD
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(125)


def receive_request(channel):
    """Setup (as a memory file) and descriptors of one trial; None when the measurer is gone."""
    fds = array.array("i")
    message, ancillary, _, _ = channel.recvmsg(64, socket.CMSG_SPACE(5 * fds.itemsize))
    if not message:
        return None
    for level, kind, data in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            fds.frombytes(data[: len(data) - len(data) % fds.itemsize])
    setup_fd, *rest = fds
    with os.fdopen(setup_fd, "rb") as file:
        file.seek(0)
        setup = json.loads(file.read())
    return setup, rest


def spawn_trial(torch, options, channel, request, measurer_pid):
    """Forks twice: the trial's process is orphaned on purpose, so that the measurer can adopt it."""
    setup, fds = request
    first = os.fork()
    if first == 0:
        second = os.fork()
        if second == 0:
            channel.close()
            trial(torch, options, setup, fds, measurer_pid)
        channel.send(str(second).encode())
        os._exit(0)
    os.waitpid(first, 0)
    for fd in fds:
        os.close(fd)


def numeric_libraries():
    """The libraries that PyTorch hands its operators to, as they are loaded: they make its speed."""
    with open("/proc/self/maps") as maps:
        files = {os.path.basename(line.split()[-1]) for line in maps if "/" in line}
    wanted = ("libopenblas", "libblis", "libmkl", "libdnnl", "libatlas")
    return sorted(name for name in files if name.startswith(wanted))


def describe(torch, options):
    threads = "1 thread" if options.threads == 1 else f"{options.threads} threads"
    libraries = numeric_libraries()
    beside = f" with {' and '.join(libraries)}" if libraries else ""
    return f"PyTorch {torch.__version__}{beside}, {threads}, Python {platform.python_version()}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--socket-fd", type=int, required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("--names", required=True, help='{"inputs": […], "outputs": […]}')
    parser.add_argument("--threads", type=int, required=True)
    options = parser.parse_args()
    measurer_pid = os.getppid()
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    import torch

    channel = socket.socket(fileno=options.socket_fd)
    channel.send(describe(torch, options).encode())
    while True:
        request = receive_request(channel)
        if request is None:
            return
        spawn_trial(torch, options, channel, request, measurer_pid)


if __name__ == "__main__":
    main()
