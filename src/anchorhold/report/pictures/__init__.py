"""The pictures of a check and of a register, each in a file of its own, drawn from the numbers of the page's tables."""

from anchorhold.report.pictures.chances import chances
from anchorhold.report.pictures.checks import r_over_checks
from anchorhold.report.pictures.claimed import claims_over_time
from anchorhold.report.pictures.drawing import NARROW, WIDE, Picture, standalone
from anchorhold.report.pictures.explained import boxes_of, lights_of, six_boxes, traffic_light
from anchorhold.report.pictures.forest import forest, weight_shares
from anchorhold.report.pictures.pairs import opponents, pair_bars
from anchorhold.report.pictures.ratio_scale import r_scale
from anchorhold.report.pictures.waterfall import levels, waterfall

__all__ = [
    "NARROW",
    "WIDE",
    "Picture",
    "boxes_of",
    "chances",
    "claims_over_time",
    "forest",
    "levels",
    "lights_of",
    "opponents",
    "pair_bars",
    "r_over_checks",
    "r_scale",
    "six_boxes",
    "standalone",
    "traffic_light",
    "waterfall",
    "weight_shares",
]
