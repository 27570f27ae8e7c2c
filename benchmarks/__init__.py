"""Speeds, each beside its peer in one run. `make bench` prints them all; tests never read them."""
