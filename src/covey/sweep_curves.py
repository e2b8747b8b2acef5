"""Curves of the trade-off between D_X and D_Y, drawn."""

from __future__ import annotations

import io
import math
from typing import TYPE_CHECKING, Any

from covey import pictures
from covey.curves import COLOURS, INK, MARKERS, dress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.sweep import Point


def draw(points: Sequence[Point], format: str = "png") -> bytes:  # noqa: A002 (the word users know)
    """D_Y against D_X, the same relative to λ = 0, and ℓ_avg against λ: the bytes of a PNG or SVG file."""
    pictures.require(format)
    import matplotlib as mpl  # noqa: PLC0415 (an extra)
    from matplotlib.figure import Figure  # noqa: PLC0415 (an extra)

    figure = Figure(figsize=(13.5, 4.6), layout="constrained")
    absolute, relative, diversity = figure.subplots(1, 3)
    for i, k in enumerate(sorted({point.k for point in points})):
        own = [point for point in points if point.k == k]
        style: dict[str, Any] = {"label": f"k = {k}", "linewidth": 1.8, "markersize": 5, "markeredgecolor": "white"}
        style |= {"color": COLOURS[i % len(COLOURS)], "marker": MARKERS[i % len(MARKERS)]}
        absolute.plot([p.distortion for p in own], [p.predictability_loss for p in own], **style)
        relative.plot([100 * p.distortion_increment for p in own], [100 * p.loss_increment for p in own], **style)
        diversity.plot([p.weight for p in own], [p.average_diversity for p in own], **style)
        for point in (own[0], own[-1]):
            absolute.annotate(
                f"λ={point.weight:g}", (point.distortion, point.predictability_loss), xytext=(5, 4),
                textcoords="offset points", fontsize=8, color=INK,
            )  # fmt: skip
    _add_even(relative, points)
    _dress(absolute, "Trade-off", "distortion of quasi-identifiers, $D_X$", "predictability loss, $D_Y$")
    _dress(relative, "Relative to λ = 0", "increment of $D_X$, %", "increment of $D_Y$, %")
    _dress(diversity, "Diversity", "λ", "$\\ell_{avg}$, different values a cell")
    diversity.set_ylim(bottom=0)
    absolute.legend(frameon=False, labelcolor=INK)
    file = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": "covey"}):  # the same bytes each time
        figure.savefig(file, format=format, dpi=160, metadata={"Date": None} if format == "svg" else None)
    return file.getvalue()


def _add_even(axes: Any, points: Sequence[Point]) -> None:
    """The line on which D_Y gains, in proportion, what D_X loses."""
    increments = [100 * point.distortion_increment for point in points if math.isfinite(point.distortion_increment)]
    end = min(100.0, max(increments, default=0.0))
    if end > 0:
        axes.plot([0, end], [0, -end], linestyle=":", color=INK, linewidth=1.2)
        axes.annotate(
            "as much gained as lost", (end, -end), xytext=(6, 0), textcoords="offset points", fontsize=8, color=INK
        )


def _dress(axes: Any, title: str, x: str, y: str) -> None:
    dress(axes, y)
    axes.set_xlabel(x, color=INK)
    axes.set_title(title, loc="left", color=INK, fontsize=11, fontweight="bold", pad=8)
