"""The group ``anchorhold import``: one file per kind of input, each adds its command to ``app``."""
