"""Write clinic.csv: 3,000 patients whom no clinic has ever seen, the same bytes on every machine.

Everything is invented: numbers are drawn from a fixed seed, names are put together from syllables, the
regions are on no map. What is plausible about it: schooling depends on the year of birth, body mass on age
and schooling; thyroid antibodies (anti-TPO) are commoner in women and with age; thyrotropin (TSH) is skewed,
and raised by them.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

SEED = 20_240_229
PATIENTS = 3_000
COLUMNS = ("patient", "name", "age", "sex", "bmi", "education", "region", "tsh", "anti_tpo")
EDUCATION = ("primary", "lower secondary", "upper secondary", "bachelor", "master", "doctorate")
REGIONS = {
    "Arvale": 0.24,
    "Brunmark": 0.19,
    "Corfell": 0.16,
    "Dunmere": 0.13,
    "Elshire": 0.11,
    "Fennoway": 0.09,
    "Gallowen": 0.05,
    "Hollin Isles": 0.03,
}
STARTS = (
    "Al",
    "Be",
    "Da",
    "E",
    "Fi",
    "Ga",
    "Ha",
    "I",
    "Jo",
    "Ka",
    "Le",
    "Mi",
    "No",
    "O",
    "Pe",
    "Ra",
    "Se",
    "Vo",
)
MIDDLES = ("bel", "dra", "fen", "lan", "mor", "nis", "rav", "sel", "tor", "vin")
ENDS = ("a", "ek", "en", "is", "o", "un", "ya")


def make_patients(rng: np.random.RandomState, n: int) -> list[tuple[object, ...]]:
    """The records, in the order of COLUMNS."""
    age = np.clip(np.round(18 + 77 * rng.beta(1.7, 1.9, n)), 18, 95).astype(int)
    woman = rng.random_sample(n) < 0.56
    schooling = _schooling(rng, age)
    bmi = _body_mass(rng, age, schooling)
    antibodies = rng.random_sample(n) < 0.03 + 0.10 * woman + 0.0018 * (age - 18) * (0.5 + woman)
    anti_tpo = np.where(antibodies, _skewed(rng, 240.0, 0.9, n), _skewed(rng, 11.0, 0.45, n))
    raised = np.where(antibodies, 1.0 + 0.35 * np.log10(anti_tpo), 1.0 + 0.002 * (age - 18))
    tsh = raised * _skewed(rng, 1.6, 0.45, n)
    region = rng.choice(list(REGIONS), size=n, p=list(REGIONS.values()))
    numbers = 100_000 + rng.permutation(900_000)[:n]
    return [
        (
            f"P{numbers[i]}",
            _name(rng),
            age[i],
            "female" if woman[i] else "male",
            f"{bmi[i]:.1f}",
            EDUCATION[schooling[i]],
            region[i],
            f"{tsh[i]:.2f}",
            f"{anti_tpo[i]:.0f}",
        )
        for i in range(n)
    ]


def _schooling(rng: np.random.RandomState, age: np.ndarray) -> np.ndarray:
    """Ranks of education: later births stayed at school for longer, and few below 30 hold a doctorate."""
    leaning = 2.55 - 0.022 * (age - 45) + 1.15 * rng.standard_normal(age.size)
    ceiling = np.where(age < 22, 2, np.where(age < 25, 3, np.where(age < 28, 4, 5)))
    return np.minimum(np.clip(np.floor(leaning), 0, 5), ceiling).astype(int)


def _body_mass(rng: np.random.RandomState, age: np.ndarray, schooling: np.ndarray) -> np.ndarray:
    """Kilograms per square metre: rises until about 65, then falls, and is skewed to the right."""
    centre = 26.8 - 0.0022 * (age - 65.0) ** 2 - 0.35 * schooling
    return np.clip(centre * np.exp(0.155 * rng.standard_normal(age.size)), 15.5, 58.0)


def _skewed(rng: np.random.RandomState, median: float, spread: float, n: int) -> np.ndarray:
    """Log-normal draws with the median and the standard deviation of the logarithm."""
    return median * np.exp(spread * rng.standard_normal(n))


def _name(rng: np.random.RandomState) -> str:
    """A first and a last name made of syllables."""
    return f"{_word(rng)} {_word(rng)}"


def _word(rng: np.random.RandomState) -> str:
    return "".join(syllables[rng.randint(len(syllables))] for syllables in (STARTS, MIDDLES, ENDS))


def write_patients(path: Path) -> None:
    """Write the records as CSV."""
    # The stream of RandomState is frozen for good; that of default_rng may change with NumPy's version.
    rng = np.random.RandomState(SEED)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(make_patients(rng, PATIENTS))


if __name__ == "__main__":
    write_patients(Path(__file__).with_name("clinic.csv"))
