"""Runs an oracle written in Python on PyTorch: python forge_oracle.py ORACLE.py [CPUS]

Speaks the protocol of docs/formats/oracle.md on its standard input and output; the oracle's own
prints go to standard error. Works with PyTorch 1.13 and later and needs nothing but PyTorch.

ORACLE.py defines
    inputs(case) -> {name: tensor}              every input and in-out, in the tensor's own dtype
    reference(case, inputs) -> {name: tensor}   every output and in-out, f64 (integers: own dtype)
and may define
    groups() -> {name: purpose}                 the input groups that it knows
    COMPARE = ["y"]                             outputs that it compares itself, by
    compare(case, inputs, name, expected, actual) -> (error, detail)
                                                0 is right, more than 1 is wrong
    MAY_BE_NAN = ["y"]                          outputs whose right answer may be NaN
"""

import ctypes
import hashlib
import importlib.util
import os
import platform
import sys
import traceback

DTYPE_NAMES = {
    "f64": "float64", "f32": "float32", "f16": "float16", "bf16": "bfloat16",
    "f8_e4m3": "float8_e4m3fn", "f8_e5m2": "float8_e5m2",
    "i64": "int64", "i32": "int32", "i16": "int16", "i8": "int8", "u8": "uint8", "bool": "bool",
}
DTYPE_BYTES = {"f64": 8, "f32": 4, "f16": 2, "bf16": 2, "f8_e4m3": 1, "f8_e5m2": 1,
               "i64": 8, "i32": 4, "i16": 2, "i8": 1, "u8": 1, "bool": 1}
FLOATS = ("f64", "f32", "f16", "bf16", "f8_e4m3", "f8_e5m2")


class OracleError(Exception):
    """What the oracle did wrong, in one line."""


class Tensor:
    """One tensor of a case, as the signature says it."""

    def __init__(self, name, direction, dtype_name, shape, strides):
        self.name = name
        self.direction = direction        # "in", "inout", "out"
        self.dtype_name = dtype_name      # "bf16"
        # None where this PyTorch has no such type (f8 before 2.1).
        self.dtype = getattr(torch, DTYPE_NAMES[dtype_name], None)
        self.shape = shape
        self.strides = strides            # in elements
        self.range = None                 # (low, high), inclusive, of integers that have one

    @property
    def is_float(self):
        return self.dtype_name in FLOATS

    @property
    def is_f8(self):
        return self.dtype_name.startswith("f8_")

    def elements(self):
        count = 1
        for extent in self.shape:
            count *= extent
        return count

    def is_contiguous(self):
        stride = 1
        for extent, given in zip(reversed(self.shape), reversed(self.strides)):
            if extent != 1 and given != stride:
                return self.elements() == 0
            stride *= extent
        return True

    def span(self):
        """Elements from the first to the farthest; 0 if there are none."""
        if self.elements() == 0:
            return 0
        return 1 + sum((e - 1) * s for e, s in zip(self.shape, self.strides))


class Case:
    """What one case consists of: shape, group, seed, dims, scalars, tensors, and a generator."""

    def __init__(self):
        self.folder = None
        self.actual = None
        self.output = None
        self.shape = ""
        self.group = ""
        self.seed = 0
        self.dims = {}
        self.scalars = {}
        self.tensors = {}
        self.absent = []

    def start(self):
        """A new generator that depends on seed, shape and group alone."""
        text = "%d/%s/%s" % (self.seed, self.shape, self.group)
        number = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")
        self.generator = torch.Generator().manual_seed(number >> 1)

    def of(self, *directions):
        return [t for t in self.tensors.values() if t.direction in directions]


# ---------------------------------------------------------------------------------------------
# f8 without PyTorch's help: nearest, ties to even; what rounds beyond the largest becomes NaN
# (e4m3) or infinity (e5m2).

def f8_magnitudes(dtype_name):
    """The values of the codes 0, 1, …: the finite ones and the next one above."""
    mantissa_bits, bias, last = (3, 7, 0x7f) if dtype_name == "f8_e4m3" else (2, 15, 0x7c)
    values = []
    for code in range(last + 1):
        exponent, mantissa = code >> mantissa_bits, code & ((1 << mantissa_bits) - 1)
        hidden = 0 if exponent == 0 else 1 << mantissa_bits
        values.append((hidden + mantissa) * 2.0 ** (max(exponent, 1) - bias - mantissa_bits))
    return torch.tensor(values, dtype=torch.float64)


def encode_f8(dtype_name, tensor):
    """Codes in uint8."""
    values = f8_magnitudes(dtype_name)
    wide = tensor.to(torch.float64)
    magnitude = wide.abs()
    middles = (values[1:] + values[:-1]) / 2
    code = torch.searchsorted(middles, magnitude.contiguous())
    tie = (code < len(middles)) & (magnitude == middles[code.clamp(max=len(middles) - 1)])
    code = torch.where(tie & (code % 2 == 1), code + 1, code)
    code = torch.where(torch.isnan(wide), torch.full_like(code, 0x7f), code)
    negative = torch.signbit(wide)
    return torch.where(negative, code + 128, code).to(torch.uint8)


def decode_f8(dtype_name, codes):
    """Values in float32."""
    values = f8_magnitudes(dtype_name)
    table = torch.full((128,), float("nan"), dtype=torch.float64)
    table[:len(values)] = values
    table[len(values) - 1] = float("nan") if dtype_name == "f8_e4m3" else float("inf")
    table = torch.cat([table, -table]).to(torch.float32)
    return table[codes.to(torch.int64)]


# ---------------------------------------------------------------------------------------------
# Tensors and files. Bytes go straight between a tensor's memory and the file.

def memory_of(tensor):
    bytes_ = tensor.numel() * tensor.element_size()
    if bytes_ == 0:
        return b""
    return memoryview((ctypes.c_char * bytes_).from_address(tensor.data_ptr()))


def write_tensor(path, tensor):
    with open(path, "wb", buffering=0) as file:
        left = memory_of(tensor)
        while len(left) > 0:
            left = left[file.write(left):]


def read_tensor(path, dtype, elements):
    tensor = torch.empty(elements, dtype=dtype)
    with open(path, "rb") as file:
        if elements and file.readinto(memory_of(tensor)) != elements * tensor.element_size():
            raise OracleError("%s is too short" % path)
    return tensor


def stored_dtype(tensor):
    """The PyTorch type that holds a tensor's bytes."""
    return torch.uint8 if tensor.is_f8 else tensor.dtype


def lay_out(tensor, value):
    """The bytes of `value` in the tensor's own strides; gaps are filled with ones."""
    if tensor.is_contiguous():
        return value.contiguous()
    span = tensor.span()
    flat = torch.full((span * DTYPE_BYTES[tensor.dtype_name],), 255, dtype=torch.uint8)
    flat = flat.view(value.dtype)
    target = flat.as_strided(tensor.shape, tensor.strides)
    for dim, stride in enumerate(tensor.strides):
        if stride == 0 and tensor.shape[dim] > 1:
            target = target.narrow(dim, 0, 1)
            first = value.narrow(dim, 0, 1)
            if not torch.equal(first.expand_as(value), value):
                raise OracleError("input '%s' must be equal along dimension %d, whose stride is 0"
                                  % (tensor.name, dim))
            value = first
    target.copy_(value)
    return flat


def read_laid_out(tensor, path):
    flat = read_tensor(path, stored_dtype(tensor), tensor.span())
    if tensor.elements() == 0:
        return flat.new_empty(tensor.shape)
    return flat.as_strided(tensor.shape, tensor.strides)


# ---------------------------------------------------------------------------------------------
# What the oracle gives back.

def require_mapping(what, values, wanted):
    if not isinstance(values, dict):
        raise OracleError("%s must return a dict of tensors, not %s"
                          % (what, type(values).__name__))
    names = [t.name for t in wanted]
    for name in names:
        if name not in values:
            raise OracleError("%s gave no '%s'" % (what, name))
    for name in values:
        if name not in names:
            raise OracleError("%s gave '%s', which the signature has not" % (what, name))
    for tensor in wanted:
        value = values[tensor.name]
        if not isinstance(value, torch.Tensor):
            raise OracleError("'%s' of %s is no tensor but %s"
                              % (tensor.name, what, type(value).__name__))
        if list(value.shape) != tensor.shape:
            raise OracleError("'%s' of %s has shape %s, the signature says %s"
                              % (tensor.name, what, list(value.shape), tensor.shape))


def require_range(tensor, value):
    if tensor.range is None or value.numel() == 0:
        return
    low, high = tensor.range
    if int(value.min()) < low or int(value.max()) > high:
        raise OracleError("'%s' of inputs() holds %d to %d, the signature allows %d to %d"
                          % (tensor.name, int(value.min()), int(value.max()), low, high))


def accept_inputs(case, values):
    """Writes the inputs and returns them as quantised (f8 as float32)."""
    wanted = case.of("in", "inout")
    require_mapping("inputs()", values, wanted)
    accepted = {}
    for tensor in wanted:
        value = values[tensor.name].detach()
        if tensor.is_f8:
            if not value.dtype.is_floating_point:
                raise OracleError("'%s' of inputs() is %s, and must be floating"
                                  % (tensor.name, value.dtype))
            stored = encode_f8(tensor.dtype_name, value)
            value = decode_f8(tensor.dtype_name, stored)
        else:
            if value.dtype != tensor.dtype:
                raise OracleError("'%s' of inputs() is %s, the signature says %s"
                                  % (tensor.name, value.dtype, tensor.dtype))
            stored = value
            require_range(tensor, value)
        write_tensor(os.path.join(case.folder, tensor.name + ".in"), lay_out(tensor, stored))
        accepted[tensor.name] = value
    return accepted


def read_inputs(case):
    values = {}
    for tensor in case.of("in", "inout"):
        value = read_laid_out(tensor, os.path.join(case.folder, tensor.name + ".in"))
        values[tensor.name] = decode_f8(tensor.dtype_name, value) if tensor.is_f8 else value
    return values


def expected_dtype(tensor):
    if not tensor.is_float:
        return tensor.dtype
    return torch.float32 if DTYPE_BYTES[tensor.dtype_name] <= 2 else torch.float64


def accept_expected(case, values):
    wanted = case.of("inout", "out")
    require_mapping("reference()", values, wanted)
    for tensor in wanted:
        value = values[tensor.name].detach()
        stored = expected_dtype(tensor)
        if not tensor.is_float and value.dtype != stored:
            raise OracleError("'%s' of reference() is %s, the signature says %s"
                              % (tensor.name, value.dtype, stored))
        if tensor.is_float and value.dtype not in (stored, torch.float64):
            raise OracleError("'%s' of reference() is %s, and must be torch.float64"
                              % (tensor.name, value.dtype))
        write_tensor(os.path.join(case.folder, tensor.name + ".out"),
                     value.to(stored).contiguous())


# ---------------------------------------------------------------------------------------------
# Requests.

def parse_scalar(dtype_name, text):
    return float(text) if dtype_name in FLOATS else int(text)


def parse_request(lines):
    case = Case()
    for line in lines:
        key, _, rest = line.partition(" ")
        words = rest.split(" ")
        if key in ("folder", "actual", "output", "shape", "group"):
            setattr(case, key, rest)
        elif key == "seed":
            case.seed = int(rest)
        elif key == "dim":
            case.dims[words[0]] = int(words[1])
        elif key == "scalar":
            case.scalars[words[0]] = parse_scalar(words[1], words[2])
        elif key == "tensor":
            name, direction, dtype_name, rank = words[0], words[1], words[2], int(words[3])
            numbers = [int(word) for word in words[4:]]
            case.tensors[name] = Tensor(name, direction, dtype_name, numbers[:rank],
                                        numbers[rank:])
        elif key == "range":
            case.tensors[words[0]].range = (int(words[1]), int(words[2]))
        elif key == "absent":
            case.absent.append(rest)
        else:
            raise OracleError("unknown line '%s' in a request" % line)
    case.start()
    return case


def make_case(oracle, case):
    inputs = accept_inputs(case, oracle.inputs(case))
    accept_expected(case, oracle.reference(case, inputs))
    return "ok"


def expect(oracle, case):
    """What follows from inputs that the folder holds already."""
    accept_expected(case, oracle.reference(case, read_inputs(case)))
    return "ok"


def compare_output(oracle, case):
    tensor = case.tensors[case.output]
    elements = tensor.elements()
    expected = read_tensor(os.path.join(case.folder, tensor.name + ".out"),
                           expected_dtype(tensor), elements).reshape(tensor.shape)
    actual = read_tensor(os.path.join(case.actual, tensor.name + ".got"),
                         stored_dtype(tensor), elements).reshape(tensor.shape)
    if tensor.is_f8:
        actual = decode_f8(tensor.dtype_name, actual)
    error, detail = oracle.compare(case, read_inputs(case), tensor.name, expected, actual)
    return "ok %r %s" % (float(error), " ".join(str(detail).split()))


def where_it_failed(error, oracle_file):
    """The deepest line of the oracle's own file, for the message."""
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__)
             if f.filename == oracle_file]
    return "%s:%d: " % (os.path.basename(oracle_file), lines[-1]) if lines else ""


def explain(error, oracle_file):
    if isinstance(error, OracleError):
        return " ".join(str(error).split())
    return " ".join(("%s%s: %s" % (where_it_failed(error, oracle_file), type(error).__name__,
                                   error)).split())


def answer(oracle, oracle_file, kind, lines):
    try:
        case = parse_request(lines)
        return {"case": make_case, "expect": expect, "compare": compare_output}[kind](oracle, case)
    except Exception as error:  # whatever the oracle's code raises is its answer
        return "error " + explain(error, oracle_file)


def load_oracle(path):
    spec = importlib.util.spec_from_file_location("oracle", path)
    oracle = importlib.util.module_from_spec(spec)
    sys.path.insert(0, os.path.dirname(path))
    spec.loader.exec_module(oracle)
    for name in ("inputs", "reference"):
        if not callable(getattr(oracle, name, None)):
            raise OracleError("it defines no %s()" % name)
    if getattr(oracle, "COMPARE", None) and not callable(getattr(oracle, "compare", None)):
        raise OracleError("it has COMPARE and defines no compare()")
    return oracle


def greet(oracle, say):
    lines = ["forge-oracle 2",
             "describe PyTorch %s, python %s" % (torch.__version__, platform.python_version())]
    lines += ["custom %s" % name for name in getattr(oracle, "COMPARE", [])]
    lines += ["may_be_nan %s" % name for name in getattr(oracle, "MAY_BE_NAN", [])]
    if hasattr(oracle, "groups"):
        lines += ["group %s" % name for name in oracle.groups()]
    say("\n".join(lines + ["ready"]))


def use_cpus(text):
    """Before PyTorch is imported: its thread pools inherit the set."""
    cpus = [int(cpu) for cpu in text.split(",") if cpu]
    if cpus:
        os.sched_setaffinity(0, cpus)
    return len(cpus)


def main():
    global torch
    requests, answers = os.fdopen(os.dup(0), "r"), os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the oracle prints must not be taken for an answer
    sys.stdout = sys.stderr

    def say(text):
        answers.write(text + "\n")
        answers.flush()

    oracle_file = os.path.abspath(sys.argv[1])
    try:
        threads = use_cpus(sys.argv[2] if len(sys.argv) > 2 else "")
        import torch
        if threads:
            torch.set_num_threads(threads)
        torch.set_grad_enabled(False)
        oracle = load_oracle(oracle_file)
        greet(oracle, say)
    except Exception as error:
        say("error " + explain(error, oracle_file))
        return 1

    lines = []
    for line in requests:
        line = line.rstrip("\n")
        if line == "end":
            say(answer(oracle, oracle_file, lines[0], lines[1:]))
            lines = []
        else:
            lines.append(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
