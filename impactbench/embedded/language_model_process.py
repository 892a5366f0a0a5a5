"""The process that serves the small language model; ends on SIGTERM, or when its standard input ends."""

import argparse
import signal
import sys

import xllamacpp

SLOTS = 8  # requests worked on at once
SLOT_TOKENS = 4096  # prompt and answer of one request; a longer prompt is refused with HTTP 400
LONGEST_ANSWER = 512  # tokens, for callers that set no max_tokens: this model does not always find an end
REPEAT_PENALTY = 1.1


def serve(model: str, port: int) -> xllamacpp.Server:
    """Load the model and answer on loopback until the returned server is deleted (it has no stop method)."""
    parameters = xllamacpp.CommonParams()
    parameters.model.path = model
    parameters.model_alias = {"smollm2-135m-instruct"}
    parameters.port = port
    parameters.n_parallel = SLOTS
    parameters.n_ctx = SLOTS * SLOT_TOKENS
    parameters.kv_unified = False  # each slot has its own share: eight long requests cannot starve one another
    parameters.cache_ram_mib = 0
    parameters.n_predict = LONGEST_ANSWER
    parameters.sampling.penalty_repeat = REPEAT_PENALTY
    return xllamacpp.Server(parameters)


def main() -> None:
    """Serve until told to stop."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--model", required=True)
    arguments.add_argument("--port", type=int, required=True)
    chosen = arguments.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    server = serve(chosen.model, chosen.port)
    try:
        sys.stdin.read()
    finally:
        del server


if __name__ == "__main__":
    main()
