"""What do the methods cost, and what do they lose, on 100,000 records of 3 columns?"""

from __future__ import annotations

from measure import gaussian, print_table, seconds

import covey


def main() -> None:
    X = gaussian(100_000, 3)
    methods = [
        ("MDAV", covey.MDAV(k=5)),
        ("MDAV adjoin", covey.MDAV(k=5, tail="adjoin")),
        ("MD", covey.MD(k=5)),
        ("V-MDAV γ=0.2", covey.VMDAV(k=5, gamma=0.2)),
        ("V-MDAV γ=1.1", covey.VMDAV(k=5, gamma=1.1)),
        ("V-MDAV best γ", covey.VMDAV(k=5, gamma="best")),
        ("individual ranking (not k-anonymous)", covey.IndividualRanking(k=5)),
    ]
    rows, first = [], None
    for name, method in methods:
        time = seconds(lambda method=method: method.fit(X), 1 if name == "V-MDAV best γ" else 2)
        first = first or time
        rows.append(
            (name, f"{time:.2f} s", f"{time / first:.1f} ×", f"{100 * method.sse_ / X.var(0).sum() / len(X):.5f}")
        )
    print_table("N(0,I), 100,000 × 3, k=5", ("method", "time", "of MDAV", "information loss %"), rows)


if __name__ == "__main__":
    main()
