"""One module for each command of `bottone`; `deploy/cli.py` says what such a module offers."""
