"""The plain versions of the resampling kernels: build each resampled table, and correlate it by the textbook."""

import math

import numpy as np
from scipy.stats import rankdata

NAN = math.nan


def pearson(a, b):
    return np.corrcoef(a, b)[0, 1]


def spearman(a, b):
    return pearson(rankdata(a), rankdata(b))


def concordance(a, b):
    """The signs of all differences of two values, in both orders, and how often those of a and b agree, on balance."""
    signs_a, signs_b = (np.sign(values[:, None] - values) for values in (a, b))
    return signs_a, signs_b, (signs_a * signs_b).sum()


def kendall(a, b):
    signs_a, signs_b, agreement = concordance(a, b)
    return agreement / math.sqrt((signs_a**2).sum() * (signs_b**2).sum())


def kendall_c(a, b):
    fewest = min(len(set(a)), len(set(b)))
    return concordance(a, b)[2] / (len(a) ** 2 * (fewest - 1) / fewest)


# The same as scipy.stats has (a test compares them), many times faster: scipy gives p-values too.
COEFFICIENTS = {"pearson": pearson, "spearman": spearman, "kendall": kendall, "kendall-c": kendall_c}
LEVELS = ("system", "summary", "pooled", "per-system")


def coefficient_of(a, b, coefficient, undefined):
    """One correlation; NaN when undefined, or 0 by the policy if it is a constant of several observations."""
    shared = ~(np.isnan(a) | np.isnan(b))
    a, b = a[shared], b[shared]
    if len(a) < 2:
        return NAN
    # Numbers of these tests that differ at all differ by more than 1e-9: what is closer is a rounding error.
    ranked = np.round(a, 9), np.round(b, 9)
    if any(len(set(values)) == 1 for values in ranked):
        return 0.0 if undefined == "zero" else NAN
    return COEFFICIENTS[coefficient](*((a, b) if coefficient == "pearson" else ranked))


def exact_means(table):
    retained = [row[~np.isnan(row)] for row in table]
    return np.array([math.fsum(row) / len(row) if len(row) else NAN for row in retained])


def correlation(x, z, level, coefficient, undefined="drop"):
    """The correlation of two tables, NaN when undefined. At system level each has its own documents."""
    if level == "system":
        return coefficient_of(exact_means(x), exact_means(z), coefficient, undefined)
    pairs = {
        "summary": lambda: zip(x.T, z.T, strict=True),
        "per-system": lambda: zip(x, z, strict=True),
        "pooled": lambda: [(x.ravel(), z.ravel())],
    }[level]()
    values = [coefficient_of(a, b, coefficient, undefined) for a, b in pairs]
    defined = [value for value in values if not math.isnan(value)]
    return sum(defined) / len(defined) if defined else NAN


def masked(*tables):
    """Copies with NaN in all where one is NaN."""
    gaps = np.isnan(tables).any(axis=0)
    return [np.where(gaps, NAN, table) for table in tables]


def standardised(table):
    away = table - np.nanmean(table)
    spread = np.nanstd(away)
    return away / spread if spread else away
