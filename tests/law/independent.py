"""A second, plain computation of an evaluation, written from the published rule alone.

Nothing here comes from the product. It takes a document that has been read as one and gives the deterministic
figures under the product's names, so that two programs that share no line can be laid beside each other.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from scipy.stats import chi2, norm

Json = Mapping[str, object]

ANCHORS = 6
TRANSFER = 36.9
TRANSFER_BAND = 51.0
FLOOR, CEILING = 0.001, 0.999
ZERO_COUNT = 0.001
CONTINUE_FROM, WARN_FROM = 0.75, 0.40
TOLERANCE = 0.05
LARGEST_COUNT = 2**53
Z = float(norm.ppf(0.975))
NELO = 800 / math.log(10)
PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
GAME_SCORES = (0.0, 0.5, 1.0)


def elo(score: float) -> float:
    return -400 * math.log10(1 / min(max(score, FLOOR), CEILING) - 1)


@dataclass(frozen=True)
class Estimate:
    """What one match says: logistic Elo with its 95 % half-width, and the rest where counts give it."""

    delta: float
    error: float
    mu: float | None = None
    nelo: float | None = None


@dataclass
class Reading:
    """One measurement as read: what contradicts itself, what it estimates, how many pairs it has."""

    faults: list[str] = field(default_factory=list)
    estimate: Estimate | None = None
    counted: Estimate | None = None
    pentanomial: list[int] | None = None
    pairs: Fraction | None = None


def estimated(counts: Sequence[float], scores: Sequence[float]) -> Estimate | None:
    if sum(1 for count in counts if count > 0) < 2:
        return None
    weights = [float(count) if count > 0 else ZERO_COUNT for count in counts]
    n = math.fsum(weights)
    mu = math.fsum(weight * score for weight, score in zip(weights, scores, strict=True)) / n
    v = math.fsum(weight * (score - mu) ** 2 for weight, score in zip(weights, scores, strict=True)) / n
    reach = Z * math.sqrt(v / n)
    if not all(FLOOR <= x <= CEILING for x in (mu - reach, mu, mu + reach)):
        return None
    spread = math.sqrt(2 * v) if len(counts) == 5 else math.sqrt(v)
    return Estimate(elo(mu), (elo(mu + reach) - elo(mu - reach)) / 2, mu, (mu - 0.5) / spread * NELO)


def number(value: object) -> float | None:
    if value is None:
        return None
    assert isinstance(value, int | float)
    return float(value)


def whole(value: object) -> int | None:
    """Return the count, or nothing when it cannot be one."""
    assert isinstance(value, int | float)
    if value != value or value < 0 or value > LARGEST_COUNT or value != int(value):
        return None
    return int(value)


def read(measurement: Json | None, *, value: str, error: str) -> Reading:
    """Read a measurement whose reported value and half-width stand under the two names."""
    found = Reading()
    if measurement is None:
        return found
    pentanomial = games = None
    raw = measurement.get("pentanomial")
    if raw is not None:
        assert isinstance(raw, list)
        counts = [whole(item) for item in raw]
        pentanomial = [count for count in counts if count is not None]
        if len(pentanomial) != 5:
            found.faults.append("pentanomial is no count")
            pentanomial = None
    if all(measurement.get(name) is not None for name in ("losses", "draws", "wins")):
        counts = [whole(measurement[name]) for name in ("losses", "draws", "wins")]
        games = [count for count in counts if count is not None]
        if len(games) != 3:
            found.faults.append("wins, draws, losses are no counts")
            games = None
    if pentanomial is not None and games is not None:
        found.faults += contradictions(pentanomial, games)
    reported, half_width = number(measurement.get(value)), number(measurement.get(error))
    if half_width is not None and half_width <= 0:
        found.faults.append("half-width not positive")
    if pentanomial is not None:
        found.pentanomial = pentanomial
        found.pairs = Fraction(sum(pentanomial))
        found.counted = estimated(pentanomial, PAIR_SCORES)
    elif games is not None:
        found.counted = estimated(games, GAME_SCORES)
    has_counts = raw is not None or games is not None or any("counts" in fault for fault in found.faults)
    if has_counts:
        found.estimate = found.counted
    elif reported is not None and half_width is not None:
        found.estimate = Estimate(reported, half_width)
    return found


def contradictions(pentanomial: Sequence[int], games: Sequence[int]) -> list[str]:
    ll, ld, middle, wd, ww = pentanomial
    losses, draws, wins = games
    found = []
    if wins + losses + draws != 2 * sum(pentanomial):
        found.append("games are not twice the pairs")
    if wins - losses != 2 * ww + wd - ld - 2 * ll:
        found.append("wins less losses")
    if not wd + ld <= draws <= wd + ld + 2 * middle:
        found.append("draws")
    return found


def misreported(measurement: Json, reading: Reading) -> list[str]:
    reported = number(measurement.get("delta"))
    if reported is None or reading.counted is None or abs(reported - reading.counted.delta) <= TOLERANCE:
        return []
    return ["reported delta is not that of the counts"]


def same(left: object, right: object) -> bool:
    """Compare by value: 16 is 16.0, true is not 1."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(same(a, b) for a, b in zip(left, right, strict=True))
    return left == right


def fieller(top: float, top_error: float, bottom: float, bottom_error: float) -> dict[str, float] | None:
    if bottom <= bottom_error:
        return None
    a = bottom**2 - bottom_error**2
    b = top * bottom
    c = top**2 - top_error**2
    root = math.sqrt(max(b * b - a * c, 0.0))
    return {"low": (b - root) / a, "high": (b + root) / a}


def verdict_of(r: float) -> str:
    return "CONTINUE" if r >= CONTINUE_FROM else "WARN" if r >= WARN_FROM else "HALT"


@dataclass
class Side:
    """One endpoint at one stage."""

    faults: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    incomplete: list[str] = field(default_factory=list)
    readings: dict[str, Reading] = field(default_factory=dict)
    weights: dict[str, float] = field(default_factory=dict)
    value: float | None = None
    sigma: float | None = None


def objects(value: object) -> list[Json]:
    assert isinstance(value, list)
    return [item for item in value if isinstance(item, Mapping)]


def mapping(value: object) -> Json:
    if value is None:
        return {}
    assert isinstance(value, Mapping)
    return value


def measured(anchors: Sequence[Json], measurements: Json, planned: object) -> Side:
    side = Side()
    names = [str(anchor["name"]) for anchor in anchors]
    side.faults += [f"{name} is not in the set" for name in measurements if name not in names]
    for anchor in anchors:
        name = str(anchor["name"])
        given = measurements.get(name)
        reading = read(mapping(given) if given is not None else None, value="delta", error="error")
        reading.faults += misreported(mapping(given), reading)
        side.readings[name] = reading
        side.faults += [f"{name}: {fault}" for fault in reading.faults]
        if reading.estimate is None and not reading.faults:
            side.missing.append(name)
        if planned is not None and reading.pairs is not None and reading.pairs != planned:
            side.incomplete.append(name)
    top = bottom = information = 0.0
    for anchor in anchors:
        name = str(anchor["name"])
        estimate = side.readings[name].estimate
        rating, rating_error = number(anchor["rating"]), number(anchor["rating_error"])
        if (rating is None or rating_error is None) and name not in side.missing:
            side.missing.append(name)
        if estimate is None or side.readings[name].faults or rating_error is None or rating_error < 0:
            continue
        variance = estimate.error**2 + rating_error**2
        weight = 1 / (variance + TRANSFER**2)
        side.weights[name] = weight
        top += weight * ((rating or 0.0) + estimate.delta)
        bottom += weight
        information += 1 / variance
    if not side.faults and not side.missing and len(side.weights) == len(anchors) and anchors:
        side.value = top / bottom
        side.sigma = 1 / math.sqrt(information)
    return side


def identity_faults(pinned: Sequence[Json], seen: object) -> list[str]:
    if seen is None:
        return []
    found = []
    by_name = {str(anchor["name"]): anchor for anchor in objects(seen)}
    if len(by_name) != len(objects(seen)):
        found.append("a name stands twice at the endpoint")
    for anchor in pinned:
        other = by_name.pop(str(anchor["name"]), None)
        if other is None or not same(dict(anchor), dict(other)):
            found.append(f"identity of {anchor['name']}")
    found += [f"{name} is not in the set" for name in by_name]
    return found


@dataclass
class Claims:
    """The window and what was claimed in it."""

    window_faults: list[str] = field(default_factory=list)
    claim_faults: list[str] = field(default_factory=list)
    short_faults: list[str] = field(default_factory=list)
    counted: list[int] = field(default_factory=list)
    uncounted: list[int] = field(default_factory=list)
    gains: list[float] = field(default_factory=list)
    errors: list[float | None] = field(default_factory=list)
    nelos: list[float | None] = field(default_factory=list)
    shorts: list[float | None] = field(default_factory=list)
    notes: set[str] = field(default_factory=set)

    @property
    def s(self) -> float | None:
        return None if self.window_faults or self.claim_faults else math.fsum(self.gains)

    @property
    def error(self) -> float | None:
        if self.s is None:
            return None
        known = [error for error in self.errors if error is not None]
        return math.sqrt(math.fsum(error**2 for error in known)) if len(known) == len(self.errors) else None

    @property
    def short(self) -> float | None:
        known = [value for value in self.shorts if value is not None]
        if self.window_faults or self.short_faults or len(known) < len(self.counted):
            return None
        return math.fsum(known)


def entry_estimate(stage: Json) -> tuple[Estimate | None, Reading]:
    """Estimate a register entry from its counts; counts without an estimate are as if absent."""
    reading = read(stage, value="elo", error="elo_error")
    estimate = reading.counted
    if estimate is None and not reading.faults and stage.get("pentanomial") is not None:
        estimate = read({**stage, "pentanomial": None}, value="elo", error="elo_error").counted
    return estimate, reading


def differs(stage: Json) -> bool:
    value, (estimate, _) = number(stage.get("elo")), entry_estimate(stage)
    return value is not None and estimate is not None and abs(value - estimate.delta) > TOLERANCE


def claims(register: Sequence[Json], window: Json) -> Claims:
    found = Claims()
    after, until = window["after"], window["until"]
    assert isinstance(after, int | float)
    assert isinstance(until, int | float)
    inside = [entry for entry in register if after < float(str(entry["seq"])) <= until]
    inside.sort(key=lambda entry: float(str(entry["seq"])))
    seqs = [int(float(str(entry["seq"]))) for entry in inside]
    if until < after or len(seqs) != until - after or len(set(seqs)) != len(seqs):
        found.window_faults.append("numbering")
    names = [str(entry["id"]) for entry in inside if entry.get("id") is not None]
    if len(set(names)) != len(names):
        found.window_faults.append("an id stands twice")
    for entry, seq in zip(inside, seqs, strict=True):
        short, long = mapping(entry.get("short")), mapping(entry.get("long"))
        if any(differs(each) for each in (short, long)):
            found.notes.add("claim_differs_from_counts")
        found.claim_faults += [f"{seq}: {fault}" for fault in entry_estimate(long)[1].faults]
        found.short_faults += [f"{seq}: {fault}" for fault in entry_estimate(short)[1].faults]
        if entry["kind"] != "gain_test":
            continue
        if short.get("passed") is not True or long.get("passed") is not True:
            found.uncounted.append(seq)
            continue
        found.counted.append(seq)
        estimate, reading = entry_estimate(long)
        value, error = number(long.get("elo")), number(long.get("elo_error"))
        if value is not None and estimate is not None:
            both = (estimate.error if error is None else error) + estimate.error
            if abs(value - estimate.delta) > both:
                found.claim_faults.append(f"{seq}: the claim contradicts its counts")
        if value is None and estimate is None:
            found.claim_faults.append(f"{seq}: neither value nor counts")
        found.gains.append(value if value is not None else estimate.delta if estimate else 0.0)
        found.errors.append(error if error is not None else estimate.error if estimate else None)
        pairs = reading.counted if reading.pentanomial is not None else None
        found.nelos.append(pairs.nelo if pairs else None)
        estimate, _ = entry_estimate(short)
        value = number(short.get("elo"))
        found.shorts.append(value if value is not None else estimate.delta if estimate else None)
    return found


def pinned_faults(anchors: Sequence[Json]) -> list[str]:
    found = []
    if len(anchors) != ANCHORS:
        found.append("number of anchors")
    if len({str(anchor["name"]) for anchor in anchors}) != len(anchors):
        found.append("a name stands twice")
    for anchor in anchors:
        rating_error = number(anchor["rating_error"])
        if rating_error is not None and rating_error < 0:
            found.append(f"rating_error of {anchor['name']}")
    return found


def joint_faults(table: object, old: Reading, new: Reading) -> list[str]:
    assert isinstance(table, list)
    rows = [[whole(item) for item in row] for row in table]
    if any(item is None for row in rows for item in row):
        return ["joint table is no count"]
    cells = np.array([[int(item or 0) for item in row] for row in rows], dtype=object)
    if cells.sum(axis=1).tolist() != old.pentanomial or cells.sum(axis=0).tolist() != new.pentanomial:
        return ["margins"]
    return []


def joint_variance(table: object, old: Estimate, new: Estimate) -> float:
    cells = np.array(table, dtype=float)
    assert old.mu is not None
    assert new.mu is not None
    k_old, k_new = (400 / (math.log(10) * mu * (1 - mu)) for mu in (old.mu, new.mu))
    scores = np.array(PAIR_SCORES)
    differences = k_new * scores[None, :] - k_old * scores[:, None]
    n = cells.sum()
    mean = (cells * differences).sum() / n
    return float((cells * (differences - mean) ** 2).sum() / n / n)


def pooled(increases: Sequence[float], variances: Sequence[float]) -> dict[str, float]:
    weights = np.array([1 / variance for variance in variances])
    values = np.array(increases)
    mean = float((weights * values).sum() / weights.sum())
    q = float((weights * (values - mean) ** 2).sum())
    df = len(increases) - 1
    scale = float(weights.sum() - (weights**2).sum() / weights.sum())
    return {
        "q": q,
        "p": float(chi2.sf(q, df)),
        "i2": max(0.0, (q - df) / q) if q > 0 else 0.0,
        "tau": math.sqrt(max(0.0, (q - df) / scale)),
    }


def band(delta: float, error: float, claimed: Claims, *, draws: int, seed: int) -> dict[str, float | None] | None:
    errors = [e for e in claimed.errors if e is not None]
    if len(errors) < len(claimed.errors):
        return None
    random = np.random.default_rng(seed)
    top = random.normal(delta, error / Z, draws)
    bottom = np.zeros(draws)
    for gain, gain_error in zip(claimed.gains, errors, strict=True):
        bottom += random.normal(gain, gain_error / Z, draws)
    positive = bottom > 0
    ratio = top[positive] / bottom[positive]
    lost = 1 - positive.mean()
    found: dict[str, float | None] = {
        "halt": float((ratio < WARN_FROM).sum() / draws),
        "warn": float(((ratio >= WARN_FROM) & (ratio < CONTINUE_FROM)).sum() / draws),
        "continue": float((ratio >= CONTINUE_FROM).sum() / draws),
        "s_not_positive": float(lost),
        "low": None,
        "high": None,
    }
    if lost <= 0.025:
        found["low"], found["high"] = (float(x) for x in np.quantile(ratio, [0.025, 0.975]))
    return found


def both_measured(document: Json, stage: str) -> tuple[Side, Side]:
    anchors = objects(document["anchors"])
    ends = mapping(document["endpoints"])
    planned = mapping(document.get("planned_pairs")).get(stage)
    old, new = (measured(anchors, mapping(mapping(ends[end]).get(stage)), planned) for end in ("old", "new"))
    return old, new


def independent(document: Json, *, draws: int = 100_000, seed: int = 20261016) -> dict[str, object]:
    anchors = objects(document["anchors"])
    ends = mapping(document["endpoints"])
    pinned = pinned_faults(anchors)
    claimed = claims(objects(document["register"]), mapping(document["window"]))
    old, new = both_measured(document, "long")
    notes = set(claimed.notes)
    for end, side in (("old", old), ("new", new)):
        side.faults += identity_faults(anchors, mapping(ends[end]).get("anchors"))
        if mapping(ends[end]).get("anchors") is None:
            notes.add("identity_not_attested")
        if side.faults or pinned:
            side.value = side.sigma = None
    conditions = [mapping(mapping(ends[end]).get("conditions")) for end in ("old", "new")]
    unlike = [] if same(conditions[0], conditions[1]) else ["conditions differ"]

    defects = [*pinned, *old.faults, *new.faults, *unlike, *claimed.window_faults, *claimed.claim_faults]
    gaps = [f"missing {end} {name}" for end, side in (("old", old), ("new", new)) for name in side.missing]
    gaps += [f"incomplete {end} {name}" for end, side in (("old", old), ("new", new)) for name in side.incomplete]
    if not claimed.counted:
        gaps.append("no counted gain")
    elif claimed.s is not None and claimed.s <= 0:
        gaps.append("sum not positive")

    result: dict[str, object] = {"s": claimed.s, "s_error": claimed.error}
    result["counted"], result["uncounted"] = claimed.counted, claimed.uncounted
    for name, side in (("a_old", old), ("a_new", new)):
        result[name] = None
        if side.value is not None and side.sigma is not None:
            total = math.hypot(side.sigma, TRANSFER_BAND)
            result[name] = {"value": side.value, "error": side.sigma, "total_band": total}
    delta = error = None
    if old.value is not None and new.value is not None and not unlike:
        assert old.sigma is not None
        assert new.sigma is not None
        delta, error = new.value - old.value, math.hypot(old.sigma, new.sigma)
    result["delta_a"], result["delta_a_error"] = delta, error

    result["direct"], direct, direct_faults = None, None, []
    if document.get("direct") is not None:
        given = mapping(document["direct"])
        reading = read(given, value="delta", error="error")
        direct_faults = reading.faults + misreported(given, reading)
        direct = None if direct_faults else reading.estimate
    defects += direct_faults

    joint = mapping(document.get("joint"))
    names = [str(anchor["name"]) for anchor in anchors]
    broken_tables = set()
    per_anchor: list[dict[str, object]] = []
    increases: list[float] = []
    variances: list[float] = []
    means: list[float] = []
    nelo_gain: float | None = 0.0
    for anchor in anchors:
        name = str(anchor["name"])
        before, after = old.readings[name], new.readings[name]
        row: dict[str, object] = {"name": name, "increase": None, "increase_error": None}
        for end, side in (("old", old), ("new", new)):
            reading = side.readings[name]
            estimate = None if reading.faults else reading.estimate
            row[end] = {
                "delta": estimate and estimate.delta,
                "error": estimate and estimate.error,
                "nelo": estimate and estimate.nelo,
                "weight": side.weights.get(name),
            }
        per_anchor.append(row)
        if before.estimate is None or after.estimate is None or before.faults or after.faults:
            continue
        variance: float | None = (before.estimate.error**2 + after.estimate.error**2) / Z**2
        table = joint.get(name)
        if table is not None and before.pentanomial is not None and after.pentanomial is not None:
            faults = joint_faults(table, before, after)
            defects += [f"{name}: {fault}" for fault in faults]
            if faults:
                broken_tables.add(name)
                variance = None
            else:
                variance = joint_variance(table, before.estimate, after.estimate)
        increases.append(after.estimate.delta - before.estimate.delta)
        variances.append(variance or 0.0)
        if variance:
            row["increase"], row["increase_error"] = increases[-1], Z * math.sqrt(variance)
        elif variance is None:
            row["increase"] = increases[-1]
        if name in old.weights and name in new.weights:
            means.append((old.weights[name] + new.weights[name]) / 2)
        nelos = before.estimate.nelo, after.estimate.nelo
        if before.pentanomial is None or after.pentanomial is None or nelos[0] is None or nelos[1] is None:
            nelo_gain = None
        elif nelo_gain is not None and means:
            nelo_gain += means[-1] * (nelos[1] - nelos[0])
    result["anchors"] = per_anchor
    result["paired"] = result["heterogeneity"] = result["reweighting"] = result["delta_a_error_weighted"] = None
    if delta is not None and names:
        shares = [mean / math.fsum(means) for mean in means]
        paired = math.fsum(share * increase for share, increase in zip(shares, increases, strict=True))
        known = all(variance > 0 for variance in variances)
        total = math.sqrt(math.fsum(share**2 * v for share, v in zip(shares, variances, strict=True)))
        result["paired"] = {"delta_a": paired, "error": Z * total if known else None}
        result["reweighting"] = delta - paired
        if known and len(names) > 1:
            result["heterogeneity"] = pooled(increases, variances)
            if float(chi2.sf(pooled(increases, variances)["q"], len(names) - 1)) < 0.01:
                notes.add("anchors_disagree")
        square = 0.0
        for anchor in anchors:
            name = str(anchor["name"])
            w_old = old.weights[name] / math.fsum(old.weights.values())
            w_new = new.weights[name] / math.fsum(new.weights.values())
            before, after = old.readings[name], new.readings[name]
            assert before.estimate is not None
            assert after.estimate is not None
            rating_error = number(anchor["rating_error"]) or 0.0
            square += (w_old * before.estimate.error) ** 2 + (w_new * after.estimate.error) ** 2
            square += ((w_new - w_old) * rating_error) ** 2
        result["delta_a_error_weighted"] = math.sqrt(square)

    sound = not defects and not gaps
    s, s_error = claimed.s, claimed.error
    for name in ("r", "fieller", "overfitting", "band", "r_normalized"):
        result[name] = None
    if s is not None and claimed.counted and s_error is not None and s <= s_error:
        notes.add("claims_not_distinguishable_from_zero")
    if any(gain < 0 for gain in claimed.gains):
        notes.add("negative_claims")
    if direct is not None:
        result["direct"] = {
            "elo": direct.delta,
            "error": direct.error,
            "survival": None,
            "survival_interval": None,
            "transfer": None,
            "transfer_interval": None,
        }
    if sound:
        assert delta is not None
        assert error is not None
        assert s is not None
        r = round(delta / s, 9)
        result["r"], result["verdict"] = r, verdict_of(r)
        result["band"] = band(delta, error, claimed, draws=draws, seed=seed)
        if s_error is not None:
            result["fieller"] = fieller(delta, error, s, s_error)
            limit = math.hypot(error, s_error)
            result["overfitting"] = {"suspected": s - delta > limit, "difference": s - delta, "band": limit}
        nelos_known = [nelo for nelo in claimed.nelos if nelo is not None]
        if nelo_gain is not None and len(nelos_known) == len(claimed.nelos) and math.fsum(nelos_known) > 0:
            result["r_normalized"] = nelo_gain / math.fsum(means) / math.fsum(nelos_known)
        if direct is not None:
            distinct = direct.delta > direct.error
            result["direct"] = {
                "elo": direct.delta,
                "error": direct.error,
                "survival": direct.delta / s,
                "survival_interval": None if s_error is None else fieller(direct.delta, direct.error, s, s_error),
                "transfer": delta / direct.delta if distinct else None,
                "transfer_interval": fieller(delta, error, direct.delta, direct.error) if distinct else None,
            }
    else:
        result["verdict"] = "DEFECTIVE" if defects else "GAP"
    result.update(short_stage(document, claimed, [*pinned, *unlike, *identity(anchors, ends)]))
    result["defects"], result["gaps"], result["notes"] = sorted(set(defects)), sorted(set(gaps)), sorted(notes)
    return result


def identity(anchors: Sequence[Json], ends: Json) -> list[str]:
    return [fault for end in ("old", "new") for fault in identity_faults(anchors, mapping(ends[end]).get("anchors"))]


def short_stage(document: Json, claimed: Claims, faults: Sequence[str]) -> dict[str, object]:
    """Apply the same rule to the short stage; a fault there stays there."""
    ends = mapping(document["endpoints"])
    nothing: dict[str, object] = {"verdict_short": None, "r_short": None, "s_short": None}
    old, new = both_measured(document, "short")
    conditions = [
        {**mapping(mapping(ends[end]).get("conditions")), **mapping(mapping(ends[end]).get("conditions_short"))}
        for end in ("old", "new")
    ]
    given = any(mapping(mapping(ends[end]).get("short")) for end in ("old", "new"))
    if faults or old.faults or new.faults or (given and not same(*conditions)) or claimed.short_faults:
        return nothing
    if given and (old.missing or new.missing or old.incomplete or new.incomplete):
        return nothing  # the rule may also be read as GAP here
    s = claimed.short
    found = {**nothing, "s_short": s}
    if not given or s is None:
        return found
    if not claimed.counted or s <= 0:
        return {**found, "verdict_short": "GAP"}
    assert old.value is not None
    assert new.value is not None
    r = round((new.value - old.value) / s, 9)
    return {**found, "r_short": r, "verdict_short": verdict_of(r)}
