"""Where things are: as scripts/fetch-model has it."""

import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]


def model_folder():
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    return pathlib.Path(os.environ.get("PRECEDENT_MODEL_DIR") or cache / "precedent/models") / "all-MiniLM-L6-v2"
