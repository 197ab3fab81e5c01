"""``python -m anchorhold``: the same as the command."""

from anchorhold.cli.start import main

if __name__ == "__main__":
    main()
