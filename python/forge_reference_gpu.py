"""Runs a PyTorch reference on a GPU for the measurer, and times it as the replayer times a kernel.

Started by forge-worker, never by hand. Protocol: docs/formats/replay-protocol.md. The reference
defines

    def run(inputs, outputs, scalars, dims): ...

and writes its results into the tensors of `outputs` (which holds in-outs too); `inputs` holds the
read-only tensors, None for an optional one that is left out. All lie on the GPU. Its work is captured
as CUDA graphs where it can be, else launched; the answer to `prepare` says which.
"""

import argparse
import array
import ctypes
import importlib.util
import json
import mmap
import os
import platform
import socket
import sys
import time
import traceback

POISON = 0xFF
MIB = 1 << 20
MOST_SHIFT = 2 * MIB
WAKING_ROTATIONS = 24
LINGER_NS = 150_000
ROTATION_THREADS = 256
ROTATION_BLOCKS = 8  # of a multiprocessor
LIMIT_PERSISTING_L2 = 6

TORCH_DTYPES = {
    "f64": "float64", "f32": "float32", "f16": "float16", "bf16": "bfloat16",
    "f8_e4m3": "float8_e4m3fn", "f8_e5m2": "float8_e5m2",
    "i64": "int64", "i32": "int32", "i16": "int16", "i8": "int8", "u8": "uint8", "bool": "bool",
}


class Fault(Exception):
    def __init__(self, kind, reason):
        super().__init__(reason)
        self.kind = kind


def load_module(path):
    spec = importlib.util.spec_from_file_location("forge_user_reference", path)
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    spec.loader.exec_module(module)
    if not callable(getattr(module, "run", None)):
        raise AttributeError(f"{os.path.basename(path)} defines no function run(inputs, outputs, scalars, dims)")
    return module


class Driver:
    """The few calls that PyTorch has no words for, in its own context."""

    def __init__(self):
        self.cuda = ctypes.CDLL("libcuda.so.1")

    def do(self, name, *arguments):
        code = getattr(self.cuda, name)(*arguments)
        if code != 0:
            raise Fault("infrastructure", f"{name} failed with {code}")

    def load(self, image):
        module = ctypes.c_void_p()
        self.do("cuModuleLoadData", ctypes.byref(module), ctypes.c_char_p(image))
        return module

    def function(self, module, name):
        function = ctypes.c_void_p()
        self.do("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
        return function

    def launch(self, function, blocks, threads, stream, *arguments):
        pointers = (ctypes.c_void_p * len(arguments))(*[ctypes.addressof(a) for a in arguments])
        self.do("cuLaunchKernel", function, blocks, 1, 1, threads, 1, 1, 0,
                ctypes.c_void_p(stream), pointers, None)

    def forget_persisting_lines(self):
        limit = ctypes.c_size_t()
        if self.cuda.cuCtxGetLimit(ctypes.byref(limit), LIMIT_PERSISTING_L2) != 0:
            return
        if limit.value != 0:
            self.do("cuCtxSetLimit", LIMIT_PERSISTING_L2, ctypes.c_size_t(0))
        self.do("cuCtxResetPersistingL2Cache")


class Rotation:
    """rotate.ptx, as the replayer uses it."""

    stream = 0

    def __init__(self, torch, driver, ptx):
        self.driver = driver
        properties = torch.cuda.get_device_properties(torch.cuda.current_device())
        self.blocks = properties.multi_processor_count * ROTATION_BLOCKS
        size = max(properties.L2_cache_size * 13 // 4, 32 * MIB) // 16 * 16
        self.memory = torch.empty(size, dtype=torch.uint8, device="cuda")
        self.changed = torch.zeros(64, dtype=torch.int32, device="cuda")
        module = driver.load(ptx)
        self.fill, self.read, self.wait = (driver.function(module, name) for name in
                                           ("forge_fill", "forge_rotate", "forge_wait"))
        self.base = ctypes.c_uint64(self.memory.data_ptr())
        self.quads = ctypes.c_uint64(size // 16)
        self.key = ctypes.c_uint32(0)
        self.flag = ctypes.c_uint64(self.changed.data_ptr())
        self.linger_ns = ctypes.c_uint64(LINGER_NS)

    def renew(self, key):
        self.key = ctypes.c_uint32(key)
        self.driver.launch(self.fill, self.blocks, ROTATION_THREADS, self.stream, self.base, self.quads, self.key)

    def rotate(self):
        self.driver.launch(self.read, self.blocks, ROTATION_THREADS, self.stream,
                           self.base, self.quads, self.key, self.flag)

    def linger(self):
        self.driver.launch(self.wait, 1, 1, self.stream, self.linger_ns)


class Entry:
    """One set of buffers: views for the reference, and ranges for copies."""

    def __init__(self, torch, slab, shift, spec, names, dims):
        self.tensors = spec["tensors"]
        self.shift = shift
        self.graphs = []
        inputs = {name: None for name in names["inputs"]}
        outputs = {name: None for name in names["outputs"]}
        for tensor in self.tensors:
            side = inputs if tensor["role"] == "in" else outputs
            side[tensor["name"]] = self.view(torch, slab, tensor)
        self.arguments = (inputs, outputs, spec["scalars"], dims[spec["shape"]])

    def view(self, torch, slab, tensor):
        dtype = getattr(torch, TORCH_DTYPES[tensor["dtype"]])
        if tensor["bytes"] == 0:
            return torch.empty(tensor["shape"], dtype=dtype, device="cuda")
        begin = self.shift + tensor["offset"]
        return slab[begin:begin + tensor["bytes"]].view(dtype).as_strided(tensor["shape"], tensor["strides"])


class Reference:
    def __init__(self, torch, options):
        self.torch, self.options = torch, options
        self.names = json.loads(options.names)
        self.driver = Driver()
        with open(options.rotation, "rb") as file:
            self.rotation = Rotation(torch, self.driver, file.read() + b"\0")
        self.run = load_module(options.source).run
        self.pool = torch.cuda.graph_pool_handle()
        self.mode = "captured as CUDA graphs"
        self.slab = None
        self.entries, self.prepared = [], []
        self.call_seconds = 0.0
        self.renew_stream()

    def renew_stream(self):
        """Streams and events have small offsets of their own."""
        torch = self.torch
        self.stream = torch.cuda.Stream()
        torch.cuda.set_stream(self.stream)
        self.rotation.stream = self.stream.cuda_stream
        self.begin, self.end, self.first, self.last = (torch.cuda.Event(enable_timing=True) for _ in range(4))

    # Requests --------------------------------------------------------------------------------

    def arena(self, _, fds):
        size = os.fstat(fds[0]).st_size
        self.map = mmap.mmap(fds[0], size, flags=mmap.MAP_SHARED)
        self.host = self.torch.frombuffer(self.map, dtype=self.torch.uint8)
        # Copies are slower without, and right all the same.
        self.torch.cuda.cudart().cudaHostRegister(self.host.data_ptr(), size, 0)
        os.close(fds[0])

    def trial(self, _, fds):
        with os.fdopen(fds[0], "rb") as file:
            file.seek(0)
            setup = json.loads(file.read())
        self.entries, self.prepared = [], []
        self.renew_stream()
        room = setup["bytes"] + MOST_SHIFT
        if self.slab is None or self.slab.numel() < room:
            self.slab = None
            self.slab = self.torch.empty(room, dtype=self.torch.uint8, device="cuda")
        self.slab.fill_(POISON)
        self.rotation.renew(setup["key"])
        self.call_seconds = setup["call_seconds"]
        self.entries = [Entry(self.torch, self.slab, setup["shift"], spec, self.names, setup["dims"])
                        for spec in setup["entries"]]
        self.stream.synchronize()

    def prepare(self, request, _):
        self.prepared = [self.entries[number] for number in request["entries"]]
        for entry in self.prepared:
            for tensor in entry.tensors:
                self.to_device(entry, tensor["begin"], tensor["end"])
            while len(entry.graphs) < request["captures"]:
                entry.graphs.append(self.capture(entry))
        self.finish(self.begin)
        return {"mode": self.mode}

    def measure(self, request, _):
        for _ in range(WAKING_ROTATIONS):
            self.rotation.rotate()
        before = time.perf_counter_ns()
        self.finish(self.first)
        begun = time.perf_counter_ns()
        times = [self.replay(self.prepared[call], capture, request["cache"] == "cold")
                 for call, capture in request["order"]]
        within = time.perf_counter_ns() - begun
        self.finish(self.last)
        around = time.perf_counter_ns() - before
        return {"times_ns": times, "event_span_ns": self.first.elapsed_time(self.last) * 1e6,
                "host_around_ns": float(around), "host_within_ns": float(within)}

    def fetch(self, *_):
        for entry in self.prepared:
            for tensor in entry.tensors:
                begin, end = tensor["begin"], tensor["end"]
                self.host[begin:end].copy_(self.slab[entry.shift + begin:entry.shift + end], non_blocking=True)
        self.stream.synchronize()

    # Steps -----------------------------------------------------------------------------------

    def to_device(self, entry, begin, end):
        self.slab[entry.shift + begin:entry.shift + end].copy_(self.host[begin:end], non_blocking=True)

    def call(self, entry):
        self.run(*entry.arguments)

    def capture(self, entry):
        """A function that does the entry's work on our stream."""
        self.call(entry)  # what a library does once, it does here
        self.stream.synchronize()
        if self.mode.startswith("launched"):
            return lambda: self.call(entry)
        graph = self.torch.cuda.CUDAGraph()
        try:
            graph.capture_begin(pool=self.pool, capture_error_mode="thread_local")
            try:
                self.call(entry)
            finally:
                graph.capture_end()
        except Exception as error:
            self.mode = f"launched, since it could not be captured ({type(error).__name__})"
            self.torch.cuda.synchronize()
            return lambda: self.call(entry)
        return graph.replay

    def put_back(self, entry):
        for tensor in entry.tensors:
            begin = tensor["offset"]
            end = begin + tensor["bytes"]
            if tensor["role"] == "out":
                self.slab[entry.shift + begin:entry.shift + end].fill_(POISON)
            elif tensor["role"] == "inout":
                self.to_device(entry, begin, end)

    def replay(self, entry, capture, cold):
        replay = entry.graphs[capture]
        self.put_back(entry)
        if cold:
            self.finish(self.begin)
            self.driver.forget_persisting_lines()
            self.rotation.rotate()
        else:
            replay()
            self.put_back(entry)
        self.rotation.linger()
        self.begin.record(self.stream)
        replay()
        self.end.record(self.stream)
        self.wait(self.end)
        return self.begin.elapsed_time(self.end) * 1e6

    def finish(self, event):
        event.record(self.stream)
        self.wait(event)

    def wait(self, event):
        limit = time.monotonic() + self.call_seconds
        while not event.query():
            if time.monotonic() > limit:
                raise Fault("timeout", f"its launches had not ended after {self.call_seconds:.0f} s")


def receive(channel):
    fds = array.array("i")
    message, ancillary, _, _ = channel.recvmsg(1 << 16, socket.CMSG_SPACE(8 * fds.itemsize))
    for level, kind, data in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            fds.frombytes(data[: len(data) - len(data) % fds.itemsize])
    return message, list(fds)


def fault_of(error):
    traceback.print_exc()
    sys.stderr.flush()
    kind = error.kind if isinstance(error, Fault) else "crash"
    return {"fault": {"kind": kind, "reason": f"{type(error).__name__}: {error}"[:2000]}}


def describe(torch):
    return (f"PyTorch {torch.__version__} for CUDA {torch.version.cuda}, "
            f"cuDNN {torch.backends.cudnn.version()}, Python {platform.python_version()}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--channel-fd", type=int, required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("--names", required=True, help='{"inputs": […], "outputs": […]}')
    parser.add_argument("--rotation", required=True, help="rotate.ptx")
    parser.add_argument("--device", type=int, required=True)
    options = parser.parse_args()
    ctypes.CDLL(None).prctl(1, 9)  # PR_SET_PDEATHSIG, SIGKILL
    channel = socket.socket(fileno=options.channel_fd)
    try:
        import torch

        torch.cuda.set_device(options.device)
        torch.set_grad_enabled(False)
        reference = Reference(torch, options)
    except BaseException as error:
        channel.send(json.dumps(fault_of(error)).encode())
        return 1
    channel.send(json.dumps({"description": describe(torch)}).encode())
    requests = {name: getattr(reference, name) for name in ("arena", "trial", "prepare", "measure", "fetch")}
    while True:
        message, fds = receive(channel)
        if not message:
            return 0
        try:
            request = json.loads(message)
            answer = {"ok": True, **(requests[request["do"]](request, fds) or {})}
        except BaseException as error:
            answer = fault_of(error)
        channel.send(json.dumps(answer).encode())


if __name__ == "__main__":
    sys.exit(main())
