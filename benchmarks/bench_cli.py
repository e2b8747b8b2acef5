"""What does a user wait for? The command line from its start to its end."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pyarrow as pa
from measure import gaussian, print_table, reached, run_command
from pyarrow import parquet

COVEY = str(Path(sys.executable).with_name("covey"))


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        X = gaussian(1_000_000, 3)
        parquet.write_table(pa.table({name: X[:, j] for j, name in enumerate("abc")}), place / "in.parquet")
        anonymize = [COVEY, "anonymize", str(place / "in.parquet"), "--quasi", "a,b,c", "-k", "5", "--force", "-o"]
        cases = [
            ("covey --help", [COVEY, "--help"], 0.3, None),
            ("covey anonymize, Parquet of 1,000,000 × 3", [*anonymize, str(place / "out.parquet")], 12.0, 1024.0),
            ("the same, to CSV", [*anonymize, str(place / "out.csv")], None, None),
        ]
        rows = []
        for name, command, limit, memory in cases:
            times, peaks = zip(*(run_command(command) for _ in range(3)), strict=True)
            asked = " and ".join([*([f"{limit} s"] if limit else []), *([f"{memory:.0f} MiB"] if memory else [])])
            ok = reached(min(times), limit) if limit and (not memory or max(peaks) <= memory) else "NO" if limit else ""
            rows.append((name, f"{min(times):.2f} s", f"{max(peaks):.0f} MiB", asked, ok))
    print_table("Command line", ("command", "time", "peak memory", "asked", "reached"), rows)


if __name__ == "__main__":
    main()
