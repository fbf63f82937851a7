"""Trains the adapters of precedent (adapters/*.safetensors). See train/README.md."""
