"""Records that are hard on partitions: ties, duplicates, offsets, and scales that squares do not survive."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from covey.matrix import Matrix, Space
from tests.reference.records import Scale

GRID = st.integers(0, 2).map(float)
COLUMNS = {
    "grid": GRID,
    "wide grid": st.integers(-50, 50).map(float),
    "constant": st.just(0.1),
    "unit": st.floats(-1, 1, allow_subnormal=False),
    "offset": st.integers(0, 9).map(lambda x: 1e9 + x),
    "shades of one": st.integers(0, 5).map(lambda x: 1.0 + x * 2.0**-52),
    "huge and small": st.sampled_from([1e16, -1e16, 1.0, 3.0, -2.0, 0.0, 0.1]),
    "huge": st.integers(-3, 3).map(lambda x: x * 1e300),
    "tiny": st.integers(-3, 3).map(lambda x: x * 1e-300),
    "nearly lost": st.integers(-9, 9).map(lambda x: x * 1e-160),
    "subnormal": st.integers(-3, 3).map(lambda x: x * 5e-324),
    "everything": st.floats(-1.7e308, 1.7e308),
}


@dataclass(frozen=True)
class Case:
    """Records and k."""

    matrix: Matrix
    k: int

    def space(self, ordinal_average: str = "median") -> Space:
        return Space.of(self.matrix, ordinal_average)


def scales_of(space: Space) -> list[Scale]:
    """What the reference must know of the columns."""
    return [Scale(average.name, levels) for average, levels in zip(space.averages, space.levels, strict=True)]


@st.composite
def sizes(draw: st.DrawFn, most_k: int = 6, most_records: int = 40) -> tuple[int, int]:
    """n and k, with n often where the end of an algorithm changes."""
    k = draw(st.integers(1, most_k))
    edges = [k, k + 1, 2 * k - 1, 2 * k, 2 * k + 1, 3 * k - 1, 3 * k, 3 * k + 1]
    n = draw(st.one_of(st.sampled_from([edge for edge in edges if edge >= k]), st.integers(k, most_records)))
    return n, k


@st.composite
def cases(draw: st.DrawFn, most_columns: int = 5, most_records: int = 40) -> Case:
    """Continuous columns, each of a family of its own, with some records repeated."""
    n, k = draw(sizes(most_records=most_records))
    families = draw(st.lists(st.sampled_from(sorted(COLUMNS)), min_size=1, max_size=most_columns))
    X = np.column_stack([draw(arrays(np.float64, n, elements=COLUMNS[family])) for family in families])
    if draw(st.booleans()):
        X = X[draw(arrays(np.intp, n, elements=st.integers(0, n - 1)))]
    return Case(Matrix.of(X), k)


@st.composite
def mixed_cases(draw: st.DrawFn, most_records: int = 40) -> Case:
    """Columns of every kind, in any order; some with more categories than a mask has bits."""
    n, k = draw(sizes(most_records=most_records))
    kinds = draw(st.lists(st.sampled_from(["continuous", "ordinal", "nominal"]), min_size=1, max_size=7))
    columns, levels = [], []
    for kind in kinds:
        most = draw(st.sampled_from([1, 2, 5, 200]))
        elements = GRID if kind == "continuous" else st.integers(0, most - 1).map(float)
        columns.append(draw(arrays(np.float64, n, elements=elements)))
        levels.append(0 if kind == "continuous" else most)
    return Case(Matrix.of(np.column_stack(columns), kinds, levels), k)


def mixed_records(n: int, seed: int, categories: int = 100) -> Matrix:
    """Many records of two continuous, two ordinal and two nominal columns."""
    rng = np.random.default_rng(seed)
    continuous = rng.normal(size=(n, 2)).round(1)
    ordinal = rng.integers(0, [5, 40], size=(n, 2))
    nominal = rng.integers(0, [3, categories], size=(n, 2))
    kinds = ["nominal", "continuous", "ordinal", "nominal", "continuous", "ordinal"]
    X = np.column_stack(
        [nominal[:, 0], continuous[:, 0], ordinal[:, 0], nominal[:, 1], continuous[:, 1], ordinal[:, 1]]
    )
    return Matrix.of(X, kinds, [3, 0, 5, categories, 0, 40])
