"""The forms of the law's messages, each with the same for readers.

May import: anchorhold.report.texts.
"""

from __future__ import annotations

from anchorhold.report.texts import mark

# A form of the law, and the same for readers; equal where the law's words can be read by anybody.
FORMS: tuple[tuple[str, str], ...] = (
    # Why a figure beside R is null.
    (
        "r, band, fieller, overfitting, survival, transfer and r_normalized are null: there is no R.",
        mark("There is no R, and these rest on it."),
    ),
    ("{which} is null: a counted gain has no half-width.", mark("A counted gain has no half-width.")),
    (
        "fieller is null: unbounded, S = {s} is not beyond U(S) = {error}.",
        mark("It is unbounded: S = {s} is not beyond U(S) = {error}."),
    ),
    (
        "The band has no ends: in {share} of the draws S is 0 or less.",
        mark("The band has no ends: in {share} of the draws S is 0 or less."),
    ),
    (
        "The band from {low} to {high} reaches into more than one verdict: more games would make it narrower.",
        mark("The band from {low} to {high} reaches into more than one verdict: more games would make it narrower."),
    ),
    (
        "direct is null: the two versions did not meet, so survival and transfer are not told apart.",
        mark("The two versions did not meet directly, so survival and transfer are not told apart."),
    ),
    ("direct is null: {reason}.", mark("The two versions have met, but there is no estimate: {reason}.")),
    (
        "survival_interval is null: S is not beyond U(S), or U(S) is unknown.",
        mark("The interval of the survival is unbounded: S is not beyond U(S), or U(S) is unknown."),
    ),
    (
        "transfer is null: D = {elo} is not beyond its half-width {error}.",
        mark("D = {elo} is not beyond its half-width {error}."),
    ),
    ("heterogeneity is null: {reason}.", mark("Heterogeneity cannot be told: {reason}.")),
    (
        "some anchor's increase has a variance of 0 or one that rests on a defect",
        mark("some anchor's increase has a variance of 0 or one that rests on a defect"),
    ),
    ("it takes at least two anchors", mark("it takes at least two anchors")),
    ("it is beyond what can be stored", mark("it is beyond what can be stored")),
    ("r_normalized is null: {reason}.", mark("R in normalized Elo cannot be told: {reason}.")),
    (
        "not every anchor was measured in pairs at both endpoints",
        mark("not every anchor was measured in pairs at both versions"),
    ),
    ("not every counted gain has long-stage pairs", mark("not every counted gain has pairs of the long stage")),
    (
        "the sum of the claims in normalized Elo is {total}",
        mark("the sum of the claims in normalized Elo is {total}"),
    ),
    ("s_median_unbiased is null: {reason}.", mark("It cannot be computed: {reason}.")),
    ("s_selection_corrected is null: {reason}.", mark("It cannot be computed: {reason}.")),
    ("there is no S", mark("there is no S")),
    ("entry {seq} has no counts", mark("entry {seq} has no counts")),
    (
        "entry {seq} does not state bounds, their model, alpha and beta",
        mark("entry {seq} does not state bounds, their model, alpha and beta"),
    ),
    (
        "it needs every source's declaration that all its tests were kept, the rejected ones too; entry {seq} has none",
        mark("it takes a declaration that all tests were kept, the rejected ones too; entry {seq} has none"),
    ),
    (
        "it needs {tests} gain tests that reached the long stage, {rejected} of them rejected; the register has "
        "{found} and {failed}",
        mark(
            "it takes {tests} gain tests that reached the long stage, {rejected} of them rejected; the register has "
            "{found} and {failed}"
        ),
    ),
    (
        "entry {seq} is counted, and its counts do not reach the bound",
        mark("entry {seq} is counted, and its counts do not reach the bound"),
    ),
    (
        "s_selection_corrected is {value} Elo, 95 % interval {low} to {high}: it supposes that the true gains of all "
        "{tests} tests are normally distributed, here about {mean} normalized Elo with a standard deviation of "
        "{deviation}.",
        mark(
            "The selection-corrected sum is {value} Elo, 95 % interval {low} to {high}. It supposes that the true "
            "gains of all {tests} tests are normally distributed, here about {mean} normalized Elo with a standard "
            "deviation of {deviation}."
        ),
    ),
    (
        "verdict_short, r_short and s_short are null: {reason}.",
        mark("The short stage says nothing: {reason}."),
    ),
    ("verdict_short and r_short are null: {reason}.", mark("The short stage gives no R: {reason}.")),
    (
        "r_short is null: nothing was claimed at the short stage.",
        mark("Nothing was claimed at the short stage, so it gives no R."),
    ),
    ("the window is defective", mark("the window is defective")),
    ("a counted gain has no short-stage value", mark("a counted gain has no value of the short stage")),
    (
        "no measurement under the short conditions",
        mark("nothing was measured under the conditions of the short stage"),
    ),
    (
        "the anchor set is defective or unrated, or what ran at an endpoint is not sure",
        mark("the anchor set is defective or unrated, or what ran at an endpoint is not sure"),
    ),
    ("the sum of the short claims is too near to 0", mark("the sum of the short claims is too near to 0")),
    ("the old endpoint has no short measurement", mark("the old version has no measurement of the short stage")),
    ("the new endpoint has no short measurement", mark("the new version has no measurement of the short stage")),
    ("s_error is null: a counted gain has no half-width.", mark("A counted gain has no half-width.")),
    ("{members}: null because of {codes}.", mark("Not computed, because of {codes}: {members}.")),
    # Gaps, and why a measurement gives nothing.
    (
        "the score {score} ± {reach} leaves [{low}, {high}]",
        mark(
            "a score of {score} ± {reach} points a game reaches beyond {low} or {high}, where a difference in Elo "
            "cannot be told: too one-sided, or too few games"
        ),
    ),
    ("no class is occupied", mark("there are no games")),
    ("only one class is occupied", mark("all pairs or games ended alike")),
    ("the measurement is null", mark("it is stated as missing")),
    ("there are no counts and no δ", mark("there are neither counts nor a δ")),
    ("δ has no half-width", mark("δ has no half-width")),
    ("it was not measured", mark("it was not measured")),
    ("No δ of old main against {anchor}: {reason}.", mark("The old version against {anchor}: {reason}.")),
    ("No δ of new main against {anchor}: {reason}.", mark("The new version against {anchor}: {reason}.")),
    (
        "{pairs} pairs of old main against {anchor} were counted, {planned} planned.",
        mark("The old version against {anchor}: {pairs} pairs were counted, {planned} planned."),
    ),
    (
        "{pairs} pairs of new main against {anchor} were counted, {planned} planned.",
        mark("The new version against {anchor}: {pairs} pairs were counted, {planned} planned."),
    ),
    ("rating of {anchor} is missing.", mark("The rating of {anchor} is missing.")),
    ("rating_error of {anchor} is missing.", mark("The half-width of the rating of {anchor} is missing.")),
    (
        "No gain test of the window passed both stages: nothing was claimed that could arrive.",
        mark("No gain test of the window passed both stages: nothing was claimed that could arrive."),
    ),
    (
        "The counted gains sum to S = {s}, which is not above 0.",
        mark("The counted gains sum to S = {s}, which is not above 0."),
    ),
    (
        "The counted gains sum to S = {s}: too near to 0 for a ratio.",
        mark("The counted gains sum to S = {s}: too near to 0 for a ratio."),
    ),
    # Notes.
    (
        "The anchors' increases differ by more than chance (Q = {q}, p = {p}): an average increase then says little.",
        mark(
            "The anchors' increases differ by more than chance (Q = {q}, p = {p}): an average increase then says "
            "little."
        ),
    ),
    (
        "S = {s} is not beyond its own half-width U(S) = {error}.",
        mark("S = {s} is not beyond its own half-width U(S) = {error}."),
    ),
    ("Counted with a negative value: entries {entries}.", mark("Counted with a negative value: entries {entries}.")),
    ("Old and new are both called {name}.", mark("Old and new are both called {name}.")),
    (
        "endpoints.old: no hashes attest that the pinned files were run.",
        mark("Old version: no hashes attest that the pinned files were run."),
    ),
    (
        "endpoints.new: no hashes attest that the pinned files were run.",
        mark("New version: no hashes attest that the pinned files were run."),
    ),
    (
        "{where}: the measurement has no pairs to compare with the {planned} planned.",
        mark("{where}: the measurement has no pairs to compare with the {planned} planned."),
    ),
    (
        "{where}: ignored, since not both endpoints have pentanomials.",
        mark("{where}: ignored, since not both versions have pentanomials."),
    ),
    (
        "{where}: {value} Elo is reported and stays; the counts give {counted}.",
        mark("{where}: {value} Elo is reported and stays; the counts give {counted}."),
    ),
    # Defects.
    (
        "The set has {count} anchors; contract edition {edition} has {expected}.",
        mark("The set has {count} anchors; contract edition {edition} has {expected}."),
    ),
    ("The anchor {name} stands {count} times.", mark("The anchor {name} stands {count} times.")),
    ("The anchor {name} is not in the pinned set.", mark("The anchor {name} is not in the pinned set.")),
    (
        "The anchor {name} is pinned but not attested here.",
        mark("The anchor {name} is pinned but not attested here."),
    ),
    (
        "The old endpoint does not attest which files were run.",
        mark("The old version does not attest which files were run."),
    ),
    (
        "The new endpoint does not attest which files were run.",
        mark("The new version does not attest which files were run."),
    ),
    (
        "{field} of {name} is {here} here and {there} in the pinned set.",
        mark("{field} of {name} is {here} here and {there} in the pinned set."),
    ),
    (
        "{field} is {there} at the old endpoint and {here} at the new one.",
        mark("{field} is {there} at the old version and {here} at the new one."),
    ),
    (
        "{name} was measured but is not in the pinned set.",
        mark("{name} was measured but is not in the pinned set."),
    ),
    (
        "Old is {old}, but the last check that closed its window ended at {new}.",
        mark("Old is {old}, but the last check that closed its window ended at {new}."),
    ),
    (
        "{absent} of {all} entries are missing in the window: {shown}.",
        mark("{absent} of {all} entries are missing in the window: {shown}."),
    ),
    (
        "Entries stand more than once in the window: {entries}.",
        mark("Entries stand more than once in the window: {entries}."),
    ),
    (
        "The window ends at {until}, before it begins after {after}.",
        mark("The window ends at {until}, before it begins after {after}."),
    ),
    (
        "The id {name} stands {count} times in the window: entries {entries}.",
        mark("The id {name} stands {count} times in the window: entries {entries}."),
    ),
    (
        "Entry {seq} claims {value} Elo but its counts give {counted} ± {error}: further apart than both half-widths "
        "together.",
        mark(
            "Entry {seq} claims {value} Elo but its counts give {counted} ± {error}: further apart than both "
            "half-widths together."
        ),
    ),
    (
        "Entry {seq} is a counted gain without a long-stage value and without counts for one.",
        mark("Entry {seq} is a counted gain without a value of the long stage and without counts for one."),
    ),
    (
        "The half-width {error} of the claim is not above 0.",
        mark("The half-width {error} of the claim is not above 0."),
    ),
    ("The half-width {error} of δ is not above 0.", mark("The half-width {error} of δ is not above 0.")),
    (
        "The rating half-width {error} of {anchor} is below 0.",
        mark("The half-width {error} of the rating of {anchor} is below 0."),
    ),
    (
        "δ is reported as {value} but its counts give {counted}.",
        mark("δ is reported as {value} but its counts give {counted}."),
    ),
    ("Counts contradict themselves: {fault}.", mark("Counts contradict themselves: {fault}.")),
    ("the count {count} is negative", mark("the count {count} is negative")),
    ("the count {count} is not whole", mark("the count {count} is not whole")),
    ("the count {count} is beyond {limit}", mark("the count {count} is beyond {limit}")),
    (
        "The {endpoint} margin is {margin}, the pentanomial {counts}.",
        mark("The margin of {endpoint} is {margin}, the pentanomial {counts}."),
    ),
    (
        "A joint table names {name}, which is not in the pinned set.",
        mark("A joint table names {name}, which is not in the pinned set."),
    ),
)
