"""Settings: ``anchorhold.toml``, the environment and the flags, as frozen records.

Flags win over environment (``ANCHORHOLD_…``), environment over file, file over default. Unknown keys are errors with
the nearest name; every error names file and key. Paths in the file are relative to the file. Each section of the file
has its reader in the module of its name; all of them are ``config.record.Config``, which the gate need not wait for.
May import: everything below.
"""

from anchorhold.config.gate import GateSettings
from anchorhold.config.loading import author_name, gate_settings, load, register_url
from anchorhold.config.sources import FILE_NAME, PREFIX, SETTINGS, default_file

__all__ = [
    "FILE_NAME",
    "PREFIX",
    "SETTINGS",
    "GateSettings",
    "author_name",
    "default_file",
    "gate_settings",
    "load",
    "register_url",
]
