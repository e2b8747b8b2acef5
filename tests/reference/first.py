"""t-closeness first, as slowly and plainly as can be."""

from __future__ import annotations

from collections.abc import Sequence

from tests.reference.enforcement import distance, plain_sum


def closeness_first(points: Sequence[Sequence[float]], subsets: Sequence[Sequence[int]], cells: int) -> list[int]:
    """The cell of each record: one of each subset, and a second one of a subset that has too many; sums as they go."""
    left = [list(rows) for rows in subsets]
    total = [plain_sum(column) for column in zip(*points, strict=True)]
    labels = [-1] * len(points)
    seed: Sequence[float] = ()
    for cell in range(cells):
        records = [i for rows in left for i in rows]
        centre = [x / len(records) for x in total] if cell % 2 == 0 else seed
        seed = points[max(records, key=lambda i: distance(points[i], centre))]
        over = next((line for line, rows in enumerate(left) if len(rows) > cells - cell), None)
        for line, rows in enumerate(left):
            for _ in range(2 if line == over else 1):
                taken = min(rows, key=lambda i: distance(points[i], seed))
                rows.remove(taken)
                labels[taken] = cell
                total = [x - p for x, p in zip(total, points[taken], strict=True)]
    return labels
