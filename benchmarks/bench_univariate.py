"""How long does the optimal partition of one column take, and what does it gain over runs of k?"""

from __future__ import annotations

import numpy as np
from measure import gaussian, print_table, reached, seconds

import covey

EXAMPLE = [0.0, 1, 2, 3, 4, 10, 10, 12, 16, 16]


def main() -> None:
    x = gaussian(1_000_000, 1)[:, 0]
    rows = []
    for n, k, limit in ((100_000, 5, None), (1_000_000, 5, 0.5), (1_000_000, 50, None), (1_000_000, 5000, None)):
        column = x[:n]
        optimal = covey.Univariate(k=k)
        fixed = covey.IndividualRanking(k=k, cells="fixed").fit(column.reshape(-1, 1))
        time = seconds(lambda optimal=optimal, column=column: optimal.fit(column))
        sort = seconds(lambda column=column: np.argsort(column, kind="stable"))
        asked = ("", "") if limit is None else (f"{limit} s", reached(time, limit))
        gain = f"{100 * (1 - optimal.sse_ / fixed.sse_):.1f} %"
        rows.append((f"{n:,}", k, f"{time:.3f} s", f"{time / sort:.1f} ×", gain, *asked))
    print_table(
        "Univariate, N(0,1)", ("values", "k", "time", "of sorting", "SSE below runs of k", "asked", "reached"), rows
    )
    sse = covey.Univariate(k=3).fit(EXAMPLE).sse_
    print(f"0, 1, 2, 3, 4, 10, 10, 12, 16, 16 with k=3: SSE {sse:.2f} (optimum 39.67)\n")


if __name__ == "__main__":
    main()
