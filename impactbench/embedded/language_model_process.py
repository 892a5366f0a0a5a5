"""The process that serves the small language model; ends on SIGTERM, or when its standard input ends."""

import argparse
import os
import signal
import sys

import xllamacpp

SLOTS = 8  # requests worked on at once
SLOT_TOKENS = 3072  # prompt and answer of one request; a longer prompt is refused with HTTP 400
LONGEST_ANSWER = 512  # tokens, for callers that set no max_tokens: this model does not always find an end
REPEAT_PENALTY = 1.1
# COST: threads wait for one another; without polling they leave the cores to a busy worker and database meanwhile.
# On 2 cores, 2 threads that do not poll were nearly twice as fast as one; polling ones were far slower under load.
THREADS = min(4, os.cpu_count() or 2)
# Prompts of one conversation begin alike: what was read once is kept here while a slot serves another conversation.
PROMPT_CACHE_MIB = 1024


def serve(model: str, port: int) -> xllamacpp.Server:
    """Load the model and answer on loopback until the returned server is deleted (it has no stop method)."""
    parameters = xllamacpp.CommonParams()
    parameters.model.path = model
    parameters.model_alias = {"smollm2-135m-instruct"}
    parameters.port = port
    parameters.n_parallel = SLOTS
    parameters.n_ctx = SLOTS * SLOT_TOKENS
    parameters.kv_unified = False  # each slot has its own share: eight long requests cannot starve one another
    parameters.cache_ram_mib = PROMPT_CACHE_MIB
    parameters.n_predict = LONGEST_ANSWER
    for threads in (parameters.cpuparams, parameters.cpuparams_batch):
        threads.n_threads = THREADS
        threads.poll = 0
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
