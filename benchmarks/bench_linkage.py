"""How long do the measures of linkage and of moments take, and the verification of a table?"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from measure import DATA, LONG, gaussian, need_data, print_table, seconds

import covey
from covey import io

ADULT = ["age", "workclass", "education", "marital_status", "occupation", "race", "sex", "native_country"]


def table(X: np.ndarray) -> pa.Table:
    return pa.table([np.ascontiguousarray(column) for column in X.T], names=[f"x{j}" for j in range(X.shape[1])])


def numbers() -> None:
    rows = []
    for n, d in [(100_000, 3), (100_000, 6), *([(100_000, 10), (1_000_000, 6)] if LONG else [])]:
        X = gaussian(n, d)
        original, noise = table(X), np.random.default_rng(1).normal(scale=0.3, size=X.shape)
        schema = covey.Schema.of(quasi=original.column_names)
        release = covey.anonymize(original, schema, k=5) if d < 10 else None
        cases = {"all different": (original, table(X + noise), None)}
        if d == 6:  # mostly zeros, which make bounds by single columns worthless
            sparse = np.column_stack([X[:, 0], X[:, 1:] * (np.arange(n) % 10 == 0)[:, None]])
            cases["nine in ten 0"] = (table(sparse), table(sparse + noise), None)
        if release is not None:
            cases["MDAV, k=5"] = (original, release.table, release.rows)
        for name, (before, released, origin) in cases.items():
            found = covey.linkage(before, released, schema, rows=origin)
            times = [
                seconds(lambda measure=measure, t=before, r=released, s=schema, o=origin: measure(t, r, s, rows=o), 1)
                for measure in (covey.linkage, covey.interval_disclosure, covey.moments_kept)
            ]
            rows.append((f"{n:,} × {d}", name, f"{found.share:.4f}", *(f"{time:.2f} s" for time in times)))
    print_table("N(0,I)", ("records", "release", "DLD", "linkage", "intervals", "moments"), rows)


def mixed() -> None:
    if not need_data("adult.csv"):
        return
    adult = io.read_table(DATA / "adult.csv").select(ADULT)
    schema = covey.Schema.of(quasi=ADULT, table=adult)
    release = covey.anonymize(adult, schema, k=5)
    cases = {"as it is": (adult, None), "MDAV, k=5": (release.table, release.rows)}
    rows = []
    for name, (released, origin) in cases.items():
        linking = seconds(lambda r=released, o=origin: covey.linkage(adult, r, schema, rows=o), 1)
        verifying = seconds(lambda r=released: covey.verify(r, schema, 5), 1)
        found = covey.verify(released, schema, 5)
        share = covey.linkage(adult, released, schema, rows=origin).share
        rows.append(
            (name, f"{share:.4f}", f"{linking:.2f} s", f"{verifying:.2f} s", f"{found.below:,}", found.searched)
        )
    headings = ("Adult, 8 columns", "DLD", "linkage", "verify", "below k=5", "combinations")
    print_table("48,842 records, one continuous and seven nominal columns", headings, rows)


if __name__ == "__main__":
    numbers()
    mixed()
