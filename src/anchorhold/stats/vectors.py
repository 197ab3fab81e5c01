"""The type of every numpy vector and matrix of figures in ``stats`` and ``law``.

May import: numpy.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float64]
