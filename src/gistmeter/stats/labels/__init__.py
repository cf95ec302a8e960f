"""Scores against yes-or-no labels (consistent or not): ROC-AUC, balanced accuracy, their intervals and tests."""
