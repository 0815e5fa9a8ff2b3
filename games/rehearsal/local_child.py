"""The child process of ``aidg local``: one model behind one server, until its parent lets go.

A process of its own, since an assertion that fails in native code aborts all of it. Its first line
on stdout is the address. It lives until its stdin is closed, which happens however the parent ends.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

ERRORS_ONLY = 1


def serve(given: dict[str, Any]) -> None:
    """Serve a model on loopback.

    Parameters
    ----------
    given : dict
        ``model`` (path), ``alias``, ``port`` (0 picks a free one), ``threads``, ``ctx`` (tokens,
        split over the slots) and ``slots`` (requests at a time).
    """
    import xllamacpp

    asked = xllamacpp.CommonParams()
    asked.model.path, asked.model_alias = given["model"], {given["alias"]}
    asked.hostnames, asked.port = ["127.0.0.1"], given["port"]
    asked.n_ctx, asked.n_parallel = given["ctx"], given["slots"]
    asked.cpuparams.n_threads = asked.cpuparams_batch.n_threads = given["threads"]
    asked.offline, asked.use_jinja, asked.ui = True, True, False
    asked.verbosity = ERRORS_ONLY
    server = xllamacpp.Server(asked)
    print(server.listening_address, flush=True)
    sys.stdin.buffer.read()
    os._exit(0)  # nobody waits for what is still being generated


if __name__ == "__main__":
    serve(json.loads(sys.argv[1]))
