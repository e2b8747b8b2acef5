"""The paper's Appendix A: costs by damped Newton steps."""

from __future__ import annotations

import numpy as np
import pytest

import covey
from covey.partition import newton
from tests.reference import pcl as reference

RNG = np.random.default_rng(11)
X = RNG.normal(size=(4000, 2))
POINTS = RNG.normal(size=(8, 2))
ONES = np.ones(4000)
SIZES = np.full(8, 500.0)
PROBLEM = newton.Problem(X, SIZES, ONES, ONES)


def test_sizes_are_met_to_a_record() -> None:
    """With 500 records a cell the sizes are met to within two records, as the paper reports."""
    points, costs, error = newton.adjust(PROBLEM, POINTS, np.zeros(8))
    held = np.bincount(newton.quantized(newton.distances(X, points), costs), minlength=8)
    assert np.abs(held - SIZES).max() == error <= 2


def test_both_solvers_agree() -> None:
    """Repaired, the paper's solver gives the exact solver's distortion to within a per mille, here and there."""
    for d in (2, 3):
        Y = RNG.normal(size=(6000, d))
        fits = [covey.PCL(cells=8, solver=solver, iterations=15).fit(Y) for solver in ("exact", "newton")]
        assert set(fits[1].sizes_) == {750}
        assert fits[1].sse_ == pytest.approx(fits[0].sse_, rel=1e-3)
        assert fits[0].size_errors_.max() == 0 <= fits[1].size_errors_.max() <= 3


def test_jacobian_is_symmetric_negative_semidefinite_and_right() -> None:
    """It is what rises of the costs do to the sizes, made symmetric, with no positive eigenvalue."""
    distortions = newton.distances(X, POINTS)
    jacobian = newton.perturbed(distortions, np.zeros(8), ONES)
    assert np.allclose(jacobian, jacobian.T)
    assert np.linalg.eigvalsh(jacobian).max() <= 1e-6 * np.abs(jacobian).max()
    before = PROBLEM.excess(distortions, np.zeros(8))
    large = int(np.argmax(before))
    step = np.zeros(8)
    step[large] = 0.1 * SIZES[large] / -jacobian[large, large]
    change = PROBLEM.excess(distortions, step) - before
    assert change == pytest.approx(jacobian @ step, abs=0.3 * abs(change[large]))


def test_perturbation_loses_five_percent() -> None:
    """The rise found by Brent's method drives out 5 % of a cell, or one record of a small one."""
    for n in (1000, 10):
        slack = RNG.uniform(size=n)
        step = newton.perturbation(slack, np.ones(n))
        assert np.count_nonzero(slack < step) == max(1, round(0.05 * n))


def test_empty_cells_are_reset() -> None:
    """A cell whose point is far away takes half of the largest one."""
    points = np.vstack([POINTS[:7], [[90.0, 90.0]]])
    reset, costs, _ = newton.reset_empty(PROBLEM, points, np.zeros(8), PROBLEM.distortions(points))
    held = np.bincount(newton.quantized(newton.distances(X, reset), costs), minlength=8)
    assert held.min() >= 50
    assert np.abs(reset).max() < 10


def test_many_cells_use_conjugate_gradients() -> None:
    """Beyond the number up to which the Jacobian is projected, sizes are met too."""
    Y = RNG.normal(size=(30_000, 2))
    m = newton.PROJECTED + 4
    start = covey.MDAV(30_000 // m).fit(Y).centroids_[:m]
    problem = newton.Problem(Y, np.full(m, 30_000 / m), np.ones(30_000), np.ones(30_000))
    _, _, error = newton.adjust(problem, start, np.zeros(m), rounds=15)
    free = np.bincount(np.argmin(newton.distances(Y, start), axis=1), minlength=m)
    assert error < 0.5 * np.abs(free - 30_000 / m).max()


def test_too_large_is_refused() -> None:
    """The table of distances has a limit, and the sentence names the way out."""
    problem = newton.Problem(np.zeros((2**20, 1)), np.ones(2**8), ONES, ONES)
    with pytest.raises(covey.InvalidInput, match="solver='exact'"):
        newton.adjust(problem, np.zeros((2**8, 1)), np.zeros(2**8))


def test_reference_distances() -> None:
    """Squared distances are the reference's."""
    assert newton.distances(X[:20], POINTS) == pytest.approx(reference.distances(X[:20], POINTS))
