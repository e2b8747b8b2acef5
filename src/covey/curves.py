"""Curves of what methods lose against k, drawn."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from covey import pictures

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.comparison import Trial

# M. Okabe and K. Ito's colours, which people who are blind to some of them can tell apart; yellow is too light.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
MARKERS = "osD^vph"
INK, GRID = "#333333", "#dddddd"


def draw(trials: Sequence[Trial], format: str = "png") -> bytes:  # noqa: A002 (the word users know)
    """The information loss 100·D of each method against k: the bytes of a PNG or SVG file."""
    pictures.require(format)
    import matplotlib as mpl  # noqa: PLC0415 (an extra)
    from matplotlib.figure import Figure  # noqa: PLC0415 (an extra)

    figure = Figure(figsize=(7.6, 6.0), layout="constrained")
    losses, gaps = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
    least = {trial.k: min(other.distortion for other in trials if other.k == trial.k) for trial in trials}
    for i, method in enumerate(_worst_first(trials)):
        own = sorted((trial for trial in trials if trial.method == method), key=lambda trial: trial.k)
        ks = [trial.k for trial in own]
        style: dict[str, Any] = {"label": method, "linewidth": 1.8, "markersize": 6, "markeredgecolor": "white"}
        style |= {"color": COLOURS[i % len(COLOURS)], "marker": MARKERS[i % len(MARKERS)]}
        losses.plot(ks, [100 * trial.distortion for trial in own], **style)
        gaps.plot(ks, [100 * _above(trial.distortion, least[trial.k]) for trial in own], **style)
    dress(losses, "information loss 100·D, %")
    dress(gaps, "above the least of all, %")
    losses.set_ylim(bottom=0)
    losses.set_title("Information loss of each method", loc="left", color=INK, fontsize=12, fontweight="bold", pad=10)
    losses.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, labelcolor=INK)
    gaps.set_xlabel("k, the least number of records in a cell", color=INK)
    if len(least) <= 12:
        gaps.set_xticks(sorted(least), labels=[str(k) for k in sorted(least)])
    file = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": "covey"}):  # the same bytes each time
        figure.savefig(file, format=format, dpi=160, metadata={"Date": None} if format == "svg" else None)
    return file.getvalue()


def _worst_first(trials: Sequence[Trial]) -> list[str]:
    """The methods by what they lose with the greatest k, so that the legend is in the order of the curves' ends."""
    last = max(trial.k for trial in trials)
    ends = {trial.method: trial.distortion for trial in trials if trial.k == last}
    return sorted(ends, key=lambda method: -ends[method])


def _above(distortion: float, least: float) -> float:
    return distortion / least - 1 if least else 0.0


def dress(axes: Any, quantity: str) -> None:
    """Axes in the manner of covey: a light grid, one line below, the quantity at the side."""
    axes.set_ylabel(quantity, color=INK)
    axes.grid(color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(colors=INK, length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(INK)
