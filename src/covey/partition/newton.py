"""The paper's own way of adjusting costs: Appendix A, for reproduction.

The exact solver meets sizes exactly for any k and is faster. This one needs some hundred records a cell, and meets
sizes to a record or two; what it leaves, the exact one repairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from covey.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable

    from covey.matrix import Floats, Labels

MOST = 1 << 27  # distortions held at once
LOSS = 0.05  # the share of a cell that a perturbation of its cost drives out
MOST_DAMPING = 1e6  # then no step is left
EMPTY = 0.1  # a cell below this share of its size is near-empty
PROJECTED = 256  # from this many cells on the Jacobian is not projected, and solved for by conjugate gradients


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """What is given.

    Attributes
    ----------
    X : ndarray of shape (n, d)
        The records.
    sizes : ndarray of shape (m,)
        The sizes asked for.
    ratios, loads : ndarray of shape (n,)
        What each record's d is multiplied by, and what it counts for in a size.
    """

    X: Floats
    sizes: Floats
    ratios: Floats
    loads: Floats

    def distortions(self, points: Floats) -> Floats:
        """D of each record at each point."""
        return distances(self.X, points) * self.ratios[:, None]

    def excess(self, distortions: Floats, costs: Floats) -> Floats:
        """p(c): what each cell holds more than it should."""
        held = np.bincount(quantized(distortions, costs), self.loads, len(self.sizes))
        return np.asarray(held - self.sizes)


def adjust(problem: Problem, points: Floats, costs: Floats, rounds: int = 60) -> tuple[Floats, Floats, float]:
    """Costs c for which p(c) is nearly 0.

    Parameters
    ----------
    problem : Problem
        Records and sizes.
    points, costs : ndarray
        Reconstruction points and initial costs.
    rounds : int
        The most Newton steps.

    Returns
    -------
    points, costs, error
        Points (those of near-empty cells are reset), costs, and the greatest |p| that is left.
    """
    if len(problem.X) * len(points) > MOST:
        raise InvalidInput("the newton solver is for reproduction and holds n × cells distances: use solver='exact'")
    distortions = problem.distortions(points)
    points, costs, distortions = reset_empty(problem, points, costs, distortions)
    deviation = problem.excess(distortions, costs)
    damping = 1e-3
    for _ in range(rounds):
        if np.max(np.abs(deviation)) <= problem.loads.max() or damping > MOST_DAMPING:
            break
        jacobian = perturbed(distortions, costs, problem.loads)
        step = regularised(jacobian, deviation, damping)
        length = armijo(lambda c: problem.excess(distortions, c), costs, step, float(deviation @ jacobian @ step))
        if length == 0.0:
            damping *= 10.0
            continue
        costs = costs + length * step
        deviation = problem.excess(distortions, costs)
        damping = max(1e-9, damping / (10.0 if length == 1.0 else 2.0))
    return points, costs, float(np.max(np.abs(deviation)))


def distances(X: Floats, points: Floats) -> Floats:
    """Squared distances, records by points."""
    total = np.zeros((len(X), len(points)))
    for j in range(X.shape[1]):
        total += np.square(X[:, j, None] - points[:, j])
    return total


def quantized(distortions: Floats, costs: Floats) -> Labels:
    """q(x) = arg min d + c."""
    return np.asarray(np.argmin(distortions + costs, axis=1), dtype=np.int64)


def reset_empty(problem: Problem, points: Floats, costs: Floats, distortions: Floats) -> tuple[Floats, Floats, Floats]:
    """Split the largest cells for the sake of those that are (near-)empty: same cost, a point close by."""
    points, costs, distortions = points.copy(), costs.copy(), distortions.copy()
    for _ in range(len(points)):
        labels = quantized(distortions, costs)
        share = np.bincount(labels, problem.loads, len(points)) / problem.sizes
        empty, large = int(np.argmin(share)), int(np.argmax(share))
        if share[empty] >= EMPTY:
            break
        spread = problem.X[labels == large].std(axis=0)
        points[empty] = points[large] + 0.1 * spread
        points[large] = points[large] - 0.1 * spread
        costs[empty] = costs[large]
        for q in (empty, large):
            distortions[:, q] = problem.distortions(points[q : q + 1])[:, 0]
    return points, costs, distortions


def perturbed(distortions: Floats, costs: Floats, loads: Floats) -> Floats:
    """The Jacobian of p by raising each cost a little: only records of that cell leave it, each for its second best.

    Perturbations are sized by Brent's method for a loss of 5 %. The estimate is made symmetric, and negative
    semidefinite by setting positive eigenvalues to 0, unless cells are very many.
    """
    m = len(costs)
    values = distortions + costs
    labels = np.argmin(values, axis=1)
    rows = np.arange(len(values))
    own = values[rows, labels]
    values[rows, labels] = np.inf
    second = np.argmin(values, axis=1)
    slack = values[rows, second] - own
    jacobian = np.zeros((m, m))
    for q in range(m):
        members = np.flatnonzero(labels == q)
        if len(members) and m > 1:
            step = perturbation(slack[members], loads[members])
            gone = members[slack[members] < step]
            np.add.at(jacobian[:, q], second[gone], loads[gone] / step)
            jacobian[q, q] -= loads[gone].sum() / step
    jacobian = (jacobian + jacobian.T) / 2
    if m > PROJECTED:
        return jacobian
    values_, vectors = np.linalg.eigh(jacobian)
    return np.asarray((vectors * np.minimum(values_, 0.0)) @ vectors.T)


def perturbation(slack: Floats, loads: Floats) -> float:
    """The rise of a cell's cost at which it loses 5 %, a record at least."""
    from scipy.optimize import brentq  # noqa: PLC0415 (light imports)

    order = np.argsort(slack)
    gone = np.cumsum(loads[order])
    wanted = float(max(LOSS * gone[-1], gone[0]))
    top = float(slack[order[-1]]) * 2.0 + 1e-300

    def short(step: float) -> float:
        count = int(np.searchsorted(slack[order], step, side="left"))
        return float(gone[count - 1] if count else 0.0) - wanted * (1 - 1e-9)

    return float(brentq(short, 0.0, top, xtol=max(1e-300, 1e-9 * top))) * (1 + 1e-6) + 1e-300


def regularised(jacobian: Floats, deviation: Floats, damping: float) -> Floats:
    """The step of the normal equation (JᵀJ + μ·diag(JᵀJ))·step = −Jᵀp, Marquardt's form of Tychonov's."""
    normal = jacobian.T @ jacobian
    diagonal = np.diag(normal)
    normal[np.diag_indices_from(normal)] += damping * diagonal + 1e-12 * diagonal.max() + 1e-300
    right = -jacobian.T @ deviation
    if len(deviation) > PROJECTED:
        from scipy.sparse.linalg import cg  # noqa: PLC0415 (light imports)

        return np.asarray(cg(normal, right, rtol=1e-6, maxiter=10 * len(deviation))[0])
    return np.asarray(np.linalg.solve(normal, right))


def armijo(excess: Callable[[Floats], Floats], costs: Floats, step: Floats, slope: float) -> float:
    """The first of 1, ½, ¼, … at which ½‖p‖² has fallen by enough of what its slope promises; 0 if none."""
    before = excess(costs)
    height = 0.5 * float(before @ before)
    length = 1.0
    while length > 1e-4:
        reached = excess(costs + length * step)
        if 0.5 * float(reached @ reached) <= height + 1e-4 * length * min(slope, 0.0):
            return length
        length /= 2.0
    return 0.0
