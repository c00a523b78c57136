#!/usr/bin/env python3
"""What a long tool loop costs us: a model behind a server on loopback that makes 200 calls a turn,
each writing or reading a file of 100 KB. Prints forge's peak memory and its own time a call.

usage: tool_loop.py FORGE PROBLEM
"""
import http.server
import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

CALLS = 200
SAMPLES = []  # (calls so far, resident KiB)
STATE = {"calls": 0, "turn": 0, "waiting_since": None, "own_s": 0.0, "pid": None}


def resident_kib():
    for line in open(f"/proc/{STATE['pid']}/status"):
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    return 0


def next_call():
    STATE["calls"] += 1
    n = STATE["calls"] % (CALLS + 1)
    if n == 0:
        STATE["turn"] += 1
        return "finish", {"outcome": "done", "note": "a comment more"}
    if n == 1:
        return "write", {"path": "work/large.txt", "content": "l" * 100_000}
    if n == CALLS:
        return "replace", {"path": "work/kernel.cpp", "old": "#include \"forge_args.h\"",
                           "new": f"#include \"forge_args.h\"\n// turn {STATE['turn']}"}
    return "read", {"path": "work/large.txt"}


class Server(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else each answer waits for the client's acknowledgement

    def log_message(self, *_):
        pass

    def do_POST(self):
        if STATE["waiting_since"] is not None:
            STATE["own_s"] += time.monotonic() - STATE["waiting_since"]
        self.rfile.read(int(self.headers["Content-Length"]))
        SAMPLES.append((STATE["calls"], resident_kib()))
        tool, arguments = next_call()
        events = [
            {"choices": [{"delta": {"tool_calls": [{"index": 0, "id": f"c{STATE['calls']}", "function": {
                "name": tool, "arguments": json.dumps(arguments)}}]}}]},
            {"choices": [{"delta": {}, "finish_reason": "tool_calls"}],
             "usage": {"prompt_tokens": 1000, "completion_tokens": 10}}]
        body = "".join(f"data: {json.dumps(e)}\n\n" for e in events) + "data: [DONE]\n\n"
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())
        # What passes between this and the next request is forge's, but for the job of a round.
        STATE["waiting_since"] = None if tool == "finish" else time.monotonic()


def main():
    forge, problem = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "agents.toml").write_text(
            '[student]\nbackend = "openai"\nmodel = "scripted"\nkey = ""\ncalls = 1000\n'
            f'url = "http://127.0.0.1:{server.server_port}/v1"\n')
        made = subprocess.run([forge, "new", problem], cwd=folder, check=True, capture_output=True, text=True)
        run = made.stdout.splitlines()[-1]
        driver = subprocess.Popen([forge, "run", run], cwd=folder, stdout=subprocess.DEVNULL)
        STATE["pid"] = driver.pid
        driver.wait()
    half = [kib for calls, kib in SAMPLES if calls % (CALLS + 1) == CALLS // 2]
    ends = [kib for calls, kib in SAMPLES if calls % (CALLS + 1) == CALLS]
    print(f"{len(SAMPLES)} requests in {STATE['turn']} turns of {CALLS} calls")
    print(f"resident after {CALLS // 2} calls: {half} KiB")
    print(f"resident after {CALLS} calls: {ends} KiB")
    print(f"largest: {max(kib for _, kib in SAMPLES)} KiB")
    print(f"forge's own time a call: {1000 * STATE['own_s'] / max(1, len(SAMPLES)):.2f} ms")


main()
