"""Is MDAV the literature's? Information loss 100·SSE/SST on the standard data sets."""

from __future__ import annotations

import numpy as np
from measure import DATA, need_data, print_table

import covey
from covey import io

SECTORS = ("RES", "COM", "IND")
EIA = [
    "UTILITYID",
    *(f"{sector}{what}" for sector in SECTORS for what in ("REVENUE", "SALES")),
    *("OTHREVENUE", "OTHRSALES", "TOTREVENUE", "TOTSALES"),
]
LITERATURE = {
    "census": (5.6922, 7.4947, 9.0884, 14.1559),
    "tarragona": (16.9326, 19.5460, 22.4619, 33.1929),
    "eia": (0.4829, 0.6713, 1.6667, 3.8397),
}
KS = (3, 4, 5, 10)


def main() -> None:
    rows = []
    for name, known in LITERATURE.items():
        if not need_data(f"{name}.csv"):
            continue
        table = io.read_table(DATA / f"{name}.csv")
        columns = EIA if name == "eia" else table.column_names
        X = np.column_stack([table[column].to_numpy().astype(float) for column in columns])
        Z = (X - X.mean(0)) / X.std(0)
        for k, expected in zip(KS, known, strict=True):
            loss = 100 * covey.MDAV(k=k).fit(Z).sse_ / Z.size
            rows.append((name, k, f"{loss:.4f}", f"{expected:.4f}", "yes" if round(loss, 4) == expected else "NO"))
    print_table("MDAV, information loss", ("data", "k", "covey", "literature", "equal"), rows)


if __name__ == "__main__":
    main()
