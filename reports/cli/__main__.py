"""``python -m reports.cli``: the command line without its entry point."""

from .app import main

main()
