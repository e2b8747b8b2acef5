"""The words of the report, in plain language."""

WORDS = (
    ("Record", "A row of the table: one person, as a rule."),
    (
        "Quasi-identifier",
        (
            "A column by which somebody may be recognised who knows them, such as age, sex or district. Its values are"
            " replaced by those of the cell."
        ),
    ),
    ("Identifier", "A column that names a person, such as a number or a name. No release contains it."),
    ("Confidential column", "A column that others want to study, such as a diagnosis. It is published as it is."),
    ("Cell", "Records whose published quasi-identifiers are all the same, so that these do not tell one from another."),
    ("k", "The least number of records in any cell."),
    (
        "k-anonymity",
        (
            "Whoever knows a person's quasi-identifiers, and nothing else, finds at least k records that fit alike, and"
            " not which is the person's."
        ),
    ),
    (
        "Distortion D",
        (
            "What the quasi-identifiers lost: the squared difference between published and original values, as a share"
            " of what would be lost if all records were given one and the same average. 0 % is nothing lost, 100 % is"
            " as much as one average for all would lose. More is possible: of categories, and of a column that counted"
            " little when cells were formed."
        ),
    ),
    ("Bias", "How far the mean of a column moved, in standard deviations of the original column."),
    (
        "Variance kept",
        (
            "The variance of the published column over the original one. Averages vary less than what they are averages"
            " of, so it is at most 100 %, but for rounding and weights, unless the column was rescaled."
        ),
    ),
    (
        "Correlation",
        (
            "How closely two columns follow each other: +1 rise together on a line, 0 not at all, −1 one falls as the"
            " other rises."
        ),
    ),
    (
        "Linkage",
        (
            "Taking each published record back to the original it is nearest to. The share that arrives at the right"
            " one says how far somebody would come by this who knew the original quasi-identifiers exactly."
        ),
    ),
    (
        "Diversity",
        (
            "How many different confidential values a cell holds. Where all are the same, whoever finds a person's cell"
            " knows the person's value, although not the record."
        ),
    ),
    (
        "Effective number of values",
        "How many values, all as frequent, would be as uncertain as those of the cell. 1 is certainty.",
    ),
    (
        "Closeness t",
        (
            "How far the confidential values of a cell are from those of the whole table, from 0 (the same)"
            " to 1. The smaller, the less a cell differs from the table."
        ),
    ),
    (
        "Mutual information",
        "How much knowing the cell tells of the confidential value, on average, in bits: yes-or-no questions answered.",
    ),
    ("Internal report", "One with pictures or figures of the original records. It is not for publication."),
)
