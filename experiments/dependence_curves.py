"""What the paper says of curves of D_Y over D_X, counted."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.sweep import Point

AVERAGED = ("distortion", "predictability_loss", "distortion_increment", "loss_increment")
ENDS = ((0.0, "distortion"), (1.0, "predictability_loss"), (0.0, "predictability_loss"), (1.0, "distortion"))
SHAPES = (
    "k", "D_X at 0", "D_Y at 0", "D_X at 1", "D_Y at 1", "D_X at 0.1, %", "D_Y at 0.1, %", "slope there",
    "last gain above loss", "steps back", "not convex",
)  # fmt: skip
CLAIMS = ("D_X > D_Y at 0", "D_X < D_Y at 1", "D_X not above that of less k", "D_Y not above that of less k")
DIVERSITIES = ("k", "l_avg at 0", "at 0.1", "at 0.5", "at 1", "at 0.1, %", "at 0.5, %", "at 1, %")


def at(points: Sequence[Point], k: int, weight: float, name: str) -> float:
    """A number of the point of k and λ."""
    return next(float(getattr(point, name)) for point in points if (point.k, point.weight) == (k, weight))


def curves_of(points: Sequence[Point]) -> list[list[Point]]:
    """The points of each k."""
    return [list(own) for _, own in itertools.groupby(points, lambda point: point.k)]


def shapes(points: Sequence[Point]) -> list[tuple[float, ...]]:
    """For each k: the ends; the first step; the last λ at which D_Y gains more than D_X loses; steps and turns that
    an optimum would not make.
    """
    return [shape(curve) for curve in curves_of(points)]


def shape(curve: Sequence[Point]) -> tuple[float, ...]:
    xs, ys = ([getattr(point, name) for point in curve] for name in AVERAGED[:2])
    first, one, last = curve[0], curve[1], curve[-1]
    worth = (p.weight for p in curve[1:] if -p.loss_increment > p.distortion_increment)
    back = sum(xs[i + 1] < xs[i] or ys[i + 1] > ys[i] for i in range(len(curve) - 1))
    bent = sum(above_chord(xs[i - 1 : i + 2], ys[i - 1 : i + 2]) for i in range(1, len(curve) - 1))
    ends = (first.distortion, first.predictability_loss, last.distortion, last.predictability_loss)
    step = (100 * one.distortion_increment, 100 * one.loss_increment, (ys[1] - ys[0]) / (xs[1] - xs[0]))
    return (first.k, *ends, *step, max(worth, default=0.0), back, bent)


def above_chord(xs: Sequence[float], ys: Sequence[float]) -> bool:
    """Whether the middle of three points lies above the line between the others, or is not between them."""
    if not xs[0] < xs[1] < xs[2]:
        return True
    return ys[1] > ys[0] + (ys[2] - ys[0]) * (xs[1] - xs[0]) / (xs[2] - xs[0])


def claims(points: Sequence[Point]) -> tuple[int, ...]:
    """How often what the paper says does not hold: the order of D_X and D_Y at either end; more loss with more k."""
    curves = curves_of(points)
    first = sum(curve[0].distortion > curve[0].predictability_loss for curve in curves)
    last = sum(curve[-1].distortion < curve[-1].predictability_loss for curve in curves)
    pairs = [pair for less, more in itertools.pairwise(curves) for pair in zip(less, more, strict=True)]
    falls = [sum(getattr(more, name) <= getattr(less, name) for less, more in pairs) for name in AVERAGED[:2]]
    return (first, last, *falls)


def diversities(points: Sequence[Point]) -> list[tuple[float, ...]]:
    """For each k: ℓ_avg at λ = 0, 0.1, 0.5 and 1, and what it changes."""
    rows = []
    for curve in curves_of(points):
        own = [curve[i].average_diversity for i in (0, 1, len(curve) // 2, len(curve) - 1)]
        rows.append((curve[0].k, *own, *(100 * (value / own[0] - 1) for value in own[1:])))
    return rows


def gap(point: Point, other: Point) -> tuple[float, float, float]:
    """By how many per cent the point's D, D_X and D_Y are above another's of the same λ."""
    pairs = [(p.distortion, p.predictability_loss) for p in (point, other)]
    joint = [(1 - point.weight) * x + point.weight * y for x, y in pairs]
    three = [(joint[i], *pairs[i]) for i in (0, 1)]
    return tuple(100 * (mine / theirs - 1) for mine, theirs in zip(*three, strict=True))  # type: ignore[return-value]
